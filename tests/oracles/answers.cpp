// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/breadth_first_levels.hpp>
#include <KokkosScan/connected_components.hpp>
#include <KokkosScan/polynomial.hpp>
#include <KokkosScan/recurrence.hpp>
#include <KokkosScan/shortest_paths.hpp>
#include <KokkosScan/summed_area_table.hpp>
#include <KokkosScan/window_scan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// What the library makes of the questions in a file, for another program to judge:
//
//   oracle_answers QUESTIONS ANSWERS
//
// A question is a line of words and numbers, such as `table i32 2 100 70`, and behind it its arrays, byte for byte, the
// last index the fastest. An answer is a number of bytes, of 8 bytes itself, and so many bytes of arrays. images.py,
// series.py and csgraphs.py know which.
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
template <class Data>
using Array = Kokkos::View<Data, Kokkos::LayoutRight, Exec>;

class Questions {
 public:
  explicit Questions(char const* name) : file_(name, std::ios::binary) {
    if (!file_) throw std::runtime_error(std::string("cannot read ") + name);
  }
  /// Whether there is another one.
  bool next() {
    std::string line;
    if (!std::getline(file_, line)) return false;
    line_.clear();
    line_.str(line);
    return true;
  }
  std::string word() { return value<std::string>(); }
  template <class T = std::size_t>
  T value() {
    T read{};
    if (!(line_ >> read)) throw std::runtime_error("a question ends too early: " + line_.str());
    return read;
  }
  /// An array of such extents.
  template <class Data, class... Extents>
  Array<Data> array(Extents... extents) {
    Array<Data> const all("all", extents...);
    auto const copy  = Kokkos::create_mirror_view(all);
    auto const bytes = static_cast<std::streamsize>(copy.size() * sizeof(typename Array<Data>::value_type));
    if (!file_.read(reinterpret_cast<char*>(copy.data()), bytes)) throw std::runtime_error("an array ends too early");
    Kokkos::deep_copy(all, copy);
    return all;
  }

 private:
  std::ifstream file_;
  std::istringstream line_;
};

class Answers {
 public:
  explicit Answers(char const* name) : file_(name, std::ios::binary) {}
  template <class View>
  void add(View const& view) {
    auto const copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    put(copy.data(), copy.size());
  }
  template <class T>
  void put(T const* values, std::size_t count) {
    if (count > 0) of_question_.append(reinterpret_cast<char const*>(values), count * sizeof(T));
  }
  /// Writes what has been added, behind how many bytes that are.
  void end_question() {
    std::uint64_t const size = of_question_.size();
    file_.write(reinterpret_cast<char const*>(&size), sizeof(size));
    file_.write(of_question_.data(), static_cast<std::streamsize>(size));
    of_question_.clear();
  }
  void close() {
    file_.close();
    if (!file_) throw std::runtime_error("the answers cannot be written");
  }

 private:
  std::ofstream file_;
  std::string of_question_;
};

template <class Table, class Boxes>
struct SumBoxes {
  Table table;
  Boxes boxes;  // low and high of each
  Array<typename Table::value_type*> sums;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    constexpr int rank = static_cast<int>(Table::rank());
    Kokkos::Array<std::size_t, Table::rank()> low{}, high{};
    for (int d = 0; d < rank; ++d) {
      low[static_cast<std::size_t>(d)]  = static_cast<std::size_t>(boxes(i, d));
      high[static_cast<std::size_t>(d)] = static_cast<std::size_t>(boxes(i, rank + d));
    }
    sums(i) = KokkosScan::box_sum(table, low, high);
  }
};

/// The table, and sums over boxes.
template <class From, class Dest, class... Extents>
void answer_table(Questions& questions, Answers& answers, std::size_t count, Extents... extents) {
  auto const from = questions.array<From>(extents...);
  Array<Dest> const table("table", extents...);
  KokkosScan::summed_area_table(Exec(), from, table);
  answers.add(table);
  using Boxes      = Array<std::int32_t**>;
  auto const boxes = questions.array<std::int32_t**>(count, 2 * sizeof...(extents));
  using Sum        = SumBoxes<Array<Dest>, Boxes>;
  Array<typename Array<Dest>::value_type*> const sums("sums", count);
  Kokkos::parallel_for(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(0, count), Sum{table, boxes, sums});
  answers.add(sums);
}
void answer_table(Questions& questions, Answers& answers) {
  std::string const type = questions.word();
  auto const rank = questions.value(), a = questions.value(), b = questions.value();
  auto const c = rank == 3 ? questions.value() : 0, count = questions.value();
  if (type == "i32")
    rank == 2 ? answer_table<std::int32_t**, std::int64_t**>(questions, answers, count, a, b)
              : answer_table<std::int32_t***, std::int64_t***>(questions, answers, count, a, b, c);
  else
    rank == 2 ? answer_table<float**, float**>(questions, answers, count, a, b)
              : answer_table<double***, double***>(questions, answers, count, a, b, c);
}

template <class Data, class Op, class... Extents>
void answer_windows(Questions& questions, Answers& answers, Op const& op, KokkosScan::Window window, int axis,
                    Extents... extents) {
  auto const from = questions.array<Data>(extents...);
  Array<Data> const dest("dest", extents...);
  if constexpr (sizeof...(extents) == 1)
    KokkosScan::window_scan(Exec(), from, dest, window, op);
  else
    KokkosScan::window_scan(Exec(), from, dest, window, op, KokkosScan::Axis{axis});
  answers.add(dest);
}
void answer_windows(Questions& questions, Answers& answers) {
  std::string const op = questions.word();
  auto const before = questions.value(), after = questions.value(), rank = questions.value();
  int const axis     = questions.value<int>();
  auto const extents = [&] {
    std::vector<std::size_t> all;
    for (std::size_t d = 0; d < rank; ++d) all.push_back(questions.value());
    return all;
  }();
  KokkosScan::Window const window{before, after};
  auto const answer = [&](auto const& of) {
    if (rank == 1)
      answer_windows<double*>(questions, answers, of, window, axis, extents[0]);
    else if (rank == 2)
      answer_windows<double**>(questions, answers, of, window, axis, extents[0], extents[1]);
    else
      answer_windows<double***>(questions, answers, of, window, axis, extents[0], extents[1], extents[2]);
  };
  if (op == "min")
    answer(KokkosScan::Min{});
  else
    answer(KokkosScan::Max{});
}

/// What is left of an image by erosion, and then by opening; and by dilation, and then by closing.
void answer_morphology(Questions& questions, Answers& answers) {
  auto const along_0 = questions.value(), along_1 = questions.value();
  auto const rows = questions.value(), columns = questions.value();
  auto const from    = questions.array<double**>(rows, columns);
  auto const through = [&](auto const& before, auto const& op) {
    Array<double**> const dest("dest", rows, columns);
    KokkosScan::window_scan(Exec(), before, dest, KokkosScan::Window{along_0, along_0}, op, KokkosScan::Axis{0});
    KokkosScan::window_scan(Exec(), dest, dest, KokkosScan::Window{along_1, along_1}, op, KokkosScan::Axis{1});
    answers.add(dest);
    return dest;
  };
  through(through(from, KokkosScan::Min{}), KokkosScan::Max{});
  through(through(from, KokkosScan::Max{}), KokkosScan::Min{});
}

template <class T>
void answer_polynomial(Questions& questions, Answers& answers) {
  auto const n = questions.value(), count = questions.value();
  auto const coefficients = questions.array<T*>(n), points = questions.array<T*>(count);
  Array<T*> const values("values", count);
  KokkosScan::evaluate_polynomial(Exec(), coefficients, points, values);
  answers.add(values);
  T at_one{};
  Array<T> const first = Kokkos::subview(points, 0);
  KokkosScan::evaluate_polynomial(Exec(), coefficients, first, KokkosScan::Total{at_one});
  answers.put(&at_one, 1);
}

template <class T>
void answer_recurrence(Questions& questions, Answers& answers) {
  auto const n = questions.value();
  auto const a = questions.array<T*>(n), b = questions.array<T*>(n), start = questions.array<T*>(1);
  Array<T*> const dest("dest", n);
  KokkosScan::linear_recurrence(Exec(), a, b, dest, Array<T>(Kokkos::subview(start, 0)));
  answers.add(dest);
}

/// By constants: of orders 1 and 2, and smoothing along the columns.
void answer_filters(Questions& questions, Answers& answers) {
  auto const a1 = questions.value<double>(), a2 = questions.value<double>();
  auto const rows = questions.value(), columns = questions.value();
  auto const from = questions.array<double**>(rows, columns);
  Array<double**> const dest("dest", rows, columns);
  KokkosScan::linear_recurrence(Exec(), a1, from, dest, 0.0, KokkosScan::Axis{0});
  answers.add(dest);
  KokkosScan::exponential_smoothing(Exec(), a1, from, dest, 0.0, KokkosScan::Axis{1});
  answers.add(dest);
  Array<double*> const line("line", columns);
  KokkosScan::linear_recurrence(Exec(), Kokkos::Array<double, 2>{a1, a2}, Kokkos::subview(from, 0, Kokkos::ALL), line,
                                Kokkos::Array<double, 2>{0.0, 0.0});
  answers.add(line);
}

void answer_graph(Questions& questions, Answers& answers) {
  auto const n = questions.value(), edges = questions.value(), source = questions.value();
  auto const offsets = questions.array<std::int32_t*>(n + 1), columns = questions.array<std::int32_t*>(edges);
  auto const weights = questions.array<double*>(edges);
  Array<std::int32_t*> const numbers("numbers", n);
  KokkosScan::breadth_first_levels(Exec(), offsets, columns, source, numbers);
  answers.add(numbers);
  KokkosScan::connected_components(Exec(), offsets, columns, numbers);
  answers.add(numbers);
  Array<double*> const distances("distances", n);
  KokkosScan::shortest_paths(Exec(), offsets, columns, weights, source, distances);
  answers.add(distances);
}

void answer_all(Questions& questions, Answers& answers) {
  while (questions.next()) {
    std::string const what = questions.word();
    if (what == "table")
      answer_table(questions, answers);
    else if (what == "windows")
      answer_windows(questions, answers);
    else if (what == "morphology")
      answer_morphology(questions, answers);
    else if (what == "polynomial")
      questions.word() == "u32" ? answer_polynomial<std::uint32_t>(questions, answers)
                                : answer_polynomial<double>(questions, answers);
    else if (what == "recurrence")
      questions.word() == "u64" ? answer_recurrence<std::uint64_t>(questions, answers)
                                : answer_recurrence<double>(questions, answers);
    else if (what == "filters")
      answer_filters(questions, answers);
    else if (what == "graph")
      answer_graph(questions, answers);
    else
      throw std::runtime_error("what is " + what + "?");
    answers.end_question();
  }
  answers.close();
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  try {
    if (argc != 3) throw std::runtime_error("oracle_answers QUESTIONS ANSWERS");
    Questions questions(argv[1]);
    Answers answers(argv[2]);
    answer_all(questions, answers);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
