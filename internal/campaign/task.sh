#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The batch script of a job array, in the folder of the array: a task runs its line of the file tasks.
#
#   N.begun  task N has begun; it does not begin again
#   N.ended  its command has ended, with this exit status
task=$SLURM_ARRAY_TASK_ID

set -C # an existing file is an error
uname -n >"$task.begun" || exit
set +C

# At the end of a job Slurm sends SIGTERM to all its processes. The command decides how it ends, and this
# shell records the exit status.
trap : TERM
(eval "$(sed -n "$((task + 1))p" tasks)")
status=$?
echo $status >"$task.ended"
exit $status
