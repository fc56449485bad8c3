#!/usr/bin/env bash
# scripts/slurm as they are, on a real slurmctld and slurmd with one node: the job array and the MPI
# job give the file that one process gives. Says so and skips (77) where daemons cannot be started.
#   slurm_test.sh WEFTSIM SOURCE
set -euo pipefail

export WEFTSIM=$1
source_tree=$2
if [ "$(id -u)" -ne 0 ] || ! command -v slurmctld munged mpirun >/dev/null; then
    echo "skipped: needs root, slurm-wlm, munge and mpirun"
    exit 77
fi

scratch=$(mktemp -d)
daemons=()
end() {
    local code=$?
    ((code == 0)) || tail -n 30 "$scratch"/*.log "$scratch"/slurm-*.out 2>/dev/null || true
    for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap end EXIT
cd "$scratch"
chmod 755 "$scratch"

node=$(hostname -s)
cpus=$(nproc)
port=$((20000 + $$ % 20000))
mkdir state spool
head -c 1024 /dev/urandom >munge.key
chmod 600 munge.key
munged --foreground --force --key-file="$scratch/munge.key" --socket="$scratch/munge.socket" \
    --pid-file="$scratch/munge.pid" --log-file="$scratch/munge.log" \
    --seed-file="$scratch/munge.seed" &
daemons+=($!)

cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$scratch/munge.socket
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
MpiDefault=none
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$scratch/slurm.conf
slurmctld -D &
daemons+=($!)
slurmd -D -N "$node" &
daemons+=($!)

for _ in $(seq 100); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && break
    sleep 0.2
done
sinfo -h -o %T | grep -q idle || { echo "the node does not come up"; exit 1; }

sweep=$source_tree/tests/cli/small-sweep.yaml
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm=isolated OMPI_MCA_btl=self,vader OMPI_MCA_rmaps_base_oversubscribe=1
"$WEFTSIM" sweep "$sweep" -q -o alone.h5 >alone.txt
sbatch --wait --array=1-3 "$source_tree/scripts/slurm/sweep-array.sbatch" "$sweep" -o array.h5
cmp alone.h5 array.h5
# Whoever ended last told what one process tells.
cat slurm-*.out | cmp - alone.txt
rm slurm-*.out
sbatch --wait --ntasks="$cpus" "$source_tree/scripts/slurm/sweep-mpi.sbatch" "$sweep" -o mpi.h5
cmp alone.h5 mpi.h5
cat slurm-*.out | cmp - alone.txt
echo "array and MPI jobs: the same file as one process"
