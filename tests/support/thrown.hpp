// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <initializer_list>
#include <string>
#include <typeinfo>

namespace test {

/// What the call says when it throws. Another exception, or none, fails the test.
template <class Exception, class Call>
std::string thrown_by(Call const& call) {
  try {
    call();
  } catch (Exception const& error) {
    EXPECT_EQ(typeid(error), typeid(Exception)) << error.what();
    return error.what();
  } catch (std::exception const& error) {
    ADD_FAILURE() << "threw an exception of another type: " << error.what();
    return {};
  }
  ADD_FAILURE() << "threw nothing";
  return {};
}

inline testing::AssertionResult says(std::string const& message, std::initializer_list<std::string> words) {
  for (std::string const& word : words)
    if (message.find(word) == std::string::npos)
      return testing::AssertionFailure() << "no '" << word << "' in: " << message;
  return testing::AssertionSuccess();
}

}  // namespace test
