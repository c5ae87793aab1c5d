# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# . perf/rank.bash    for one rank of those that srun, mpirun or mpiexec started: its number, its cores, its GPU. Sets
#                     rank, local_rank, local_size, cores, share (of cores) and CUDA_VISIBLE_DEVICES, and binds this process

# mpirun inside an allocation inherits Slurm's variables: its own go first.
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-0}}}
local_rank=${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-${SLURM_LOCALID:-0}}}
tasks=${SLURM_STEP_TASKS_PER_NODE:-1} # for example 2(x3): two on each of three nodes
local_size=${OMPI_COMM_WORLD_LOCAL_SIZE:-${MPI_LOCALNRANKS:-${tasks%%[!0-9]*}}}

# Cores. Whoever started the ranks may have given each its own; else they take even shares of what all of them have.
allowed=()
for range in $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr ',' ' '); do
    for ((cpu = ${range%-*}; cpu <= ${range#*-}; ++cpu)); do allowed+=("$cpu"); done
done
share=("${allowed[@]}")
if [ "$local_size" -gt 1 ] && [ ${#allowed[@]} -eq "$(getconf _NPROCESSORS_ONLN)" ]; then
    count=$((${#allowed[@]} < local_size ? 1 : ${#allowed[@]} / local_size))
    share=("${allowed[@]:$((local_rank * count % ${#allowed[@]})):$count}")
    taskset -cp "$(IFS=,; echo "${share[*]}")" $$ >/dev/null
fi
# One thread on each core, even where a core runs several.
cores=$(lscpu -p=CPU,CORE,SOCKET | awk -F, -v mine=" ${share[*]} " \
    '!/^#/ && index(mine, " " $1 " ") && !seen[$2 "," $3]++ { ++count } END { print count + 0 }')
if [ "$cores" = 0 ]; then cores=${#share[@]}; fi
export OMP_PLACES=${OMP_PLACES:-cores}
export OMP_PROC_BIND=${OMP_PROC_BIND:-spread}

# GPUs. If several are visible, each rank of a node takes the next.
visible=${CUDA_VISIBLE_DEVICES:-$(nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null | paste -sd, || true)}
IFS=, read -r -a devices <<<"$visible"
if [ ${#devices[@]} -gt 0 ]; then export CUDA_VISIBLE_DEVICES=${devices[$((local_rank % ${#devices[@]}))]}; fi
