// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.mutation.MutationPoint;

/** Kinds of buffers that the adapter's library allocates. */
public enum BufferKind {
    RC_QUEUE_PAIR("MLX_QP", "HUGE_RC"),
    UC_QUEUE_PAIR("MLX_QP", "HUGE_UC"),
    UD_QUEUE_PAIR("MLX_QP", "HUGE_UD"),
    COMPLETION_QUEUE("MLX_CQ", "HUGE_CQ"),
    /** The memory of a registration with allocation. */
    REGION("MLX_MR", ""),
    /** A receive work queue that belongs to no queue pair. */
    RECEIVE_WORK_QUEUE("MLX_RWQ", "");

    private final String prefix;
    private final String legacy;

    BufferKind(String prefix, String legacy) {
        this.prefix = prefix;
        this.legacy = legacy;
    }

    String allocType() {
        return prefix + "_ALLOC_TYPE";
    }

    String largest() {
        return prefix + "_MAX_LOG2_CONTIG_BSIZE";
    }

    String min() {
        return prefix + "_MIN_LOG2_CONTIG_BSIZE";
    }

    /** Returns the variable that makes HUGE the default; empty if there is none. */
    String legacy() {
        return legacy;
    }

    // rule pages-types
    AllocationType defaultValue() {
        return this == REGION ? AllocationType.ALL : AllocationType.PREFER_CONTIG;
    }

    // rule pages-rwq
    boolean hasTypeVariable() {
        return this != RECEIVE_WORK_QUEUE;
    }

    // rule pages-mr
    @MutationPoint("buffer-kind.tries")
    List<PageType> pageTypesToTry(AllocationType type) {
        return this == REGION ? type.pageTypesForRegion() : type.pageTypesToTry();
    }

    // rule pages-node
    /** Returns the preferred NUMA node; empty if there is no preference. */
    OptionalInt node(HostMachine machine) {
        return switch (this) {
            case RC_QUEUE_PAIR, UC_QUEUE_PAIR, UD_QUEUE_PAIR, RECEIVE_WORK_QUEUE ->
                OptionalInt.of(machine.deviceNode());
            case COMPLETION_QUEUE -> OptionalInt.of(machine.processorNode());
            case REGION -> OptionalInt.empty();
        };
    }
}
