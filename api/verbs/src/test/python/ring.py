# SPDX-License-Identifier: Apache-2.0
"""A program of mpi4py: a list around a ring, and an allreduce."""
import array

from mpi4py import MPI

WORDS = 200000

world = MPI.COMM_WORLD
mine = array.array("d", [world.rank + 1] * WORDS)
sums = array.array("d", [0] * WORDS)
world.Allreduce(mine, sums)
of_neighbour = world.sendrecv(
    list(range(world.rank, 1000)), dest=(world.rank + 1) % world.size, source=(world.rank - 1) % world.size
)
lengths = world.gather(len(of_neighbour))
if world.rank == 0:
    print(f"{world.size} processes: lists of {lengths}, allreduce {sum(sums):.0f}")
