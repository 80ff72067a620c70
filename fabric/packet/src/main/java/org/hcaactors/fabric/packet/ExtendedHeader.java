// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

/** An extended transport header (rule wire-headers). Integers hold unsigned fields in their low bits. */
public sealed interface ExtendedHeader {
    HeaderKind kind();

    /**
     * RETH: memory that a WRITE writes or a READ reads.
     *
     * @param address virtual address at the responder
     * @param rkey remote key
     * @param lengthBytes of the whole message, 32 bits unsigned; at most 2^31 is legal
     */
    record Reth(long address, int rkey, int lengthBytes) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.RETH;
        }

        public long lengthUnsigned() {
            return Integer.toUnsignedLong(lengthBytes);
        }
    }

    /**
     * AtomicETH: operands of an atomic (rule wire-fetch-add-operand).
     *
     * @param swapOrAdd the new value of CmpSwap, the addend of FetchAdd
     * @param compare 0 in FetchAdd
     */
    record AtomicEth(long address, int rkey, long swapOrAdd, long compare) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.ATOMIC_ETH;
        }
    }

    /**
     * AETH: acknowledgement.
     *
     * @param syndrome 8 bits, see {@link Syndrome}
     * @param msn 24 bits: messages completed at the responder
     */
    record Aeth(int syndrome, int msn) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.AETH;
        }
    }

    /** @param original the responder's value before the atomic */
    record AtomicAckEth(long original) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.ATOMIC_ACK_ETH;
        }
    }

    /**
     * DETH: datagram header.
     *
     * @param reserved 8 bits, kept so that a captured packet encodes to the same bytes
     * @param sourceQp 24 bits
     */
    record Deth(int qkey, int reserved, int sourceQp) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.DETH;
        }
    }

    /** @param value the caller's 32 bits, not byte-swapped */
    record Immediate(int value) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.IMMEDIATE;
        }
    }

    // rule wire-masked-atomic
    /**
     * First header of a masked atomic; it identifies the transport, so that the packet can be decoded without knowing its queue
     * pair.
     *
     * @param logBytes log2 of the bytes of each operand, 8 bits
     * @param transport bits 7 to 5 of the opcodes of its transport, 3 bits
     * @param reserved 16 bits, kept so that a captured packet encodes to the same bytes
     */
    record AtomicSize(int logBytes, int transport, int reserved) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.ATOMIC_SIZE;
        }

        /** Returns the bytes of each operand; 0 for more than any atomic supports. */
        public int operandBytes() {
            return logBytes <= 8 ? 1 << logBytes : 0;
        }
    }

    /** Target address of a masked atomic; its operands are the payload (rule wire-masked-atomic). */
    record AtomicAddress(long address, int rkey) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.ATOMIC_ADDRESS;
        }
    }

    // rule wire-xrc-header
    /**
     * XRCETH: the shared receive queue of a request, which also determines the protection domain of its keys.
     *
     * @param reserved 8 bits, kept so that a captured packet encodes to the same bytes
     * @param srqNumber 24 bits: a shared receive queue at the responder
     */
    record XrcEth(int reserved, int srqNumber) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.XRC_ETH;
        }
    }

    // rule wire-dc-header
    /**
     * DCETH: the session of a packet and its sender. Each direction carries the number of its sending end.
     *
     * @param flags 8 bits: 3 to 0 the version of the transport, 7 see {@link #FULL_HANDSHAKE}, the others reserved and kept so
     *     that a captured packet encodes to the same bytes
     * @param sessionId 24 bits: chosen by the responder, 0 while the initiator does not know it
     * @param channel 8 bits: stream channel of the initiator, 0 if it has none
     * @param sender 24 bits: number of the initiator or target that sent the packet
     */
    record DcEth(int flags, int sessionId, int channel, int sender) implements ExtendedHeader {
        /** Bit of {@link #flags} in the answer to a CONNECT: the target accepts only packets that carry the session id. */
        public static final int FULL_HANDSHAKE = 0x80;

        private static final int VERSION = 0x0F;

        @Override
        public HeaderKind kind() {
            return HeaderKind.DC_ETH;
        }

        /** Returns the version of the transport, 0 or 1. The two versions are incompatible. */
        public int version() {
            return flags & VERSION;
        }

        /** True if the target accepts only packets that carry the session id. */
        public boolean asksForFullHandshake() {
            return (flags & FULL_HANDSHAKE) != 0;
        }
    }

    // rule wire-dc-connect
    /**
     * Parameters of a CONNECT.
     *
     * @param reconnect true if a CONNECT of this session was sent before and may have arrived
     * @param reverseSl 4 bits: service level of the answers
     * @param nextPsn 24 bits: PSN of the first packet that follows
     * @param reserved 35 bits, kept so that a captured packet encodes to the same bytes: the upper 3 are before {@code
     *     reconnect}, the lower 32 after {@code nextPsn}
     * @param accessKey 64 bits: the target rejects a key that is not its own
     */
    record DcConnectEth(boolean reconnect, int reverseSl, int nextPsn, long reserved, long accessKey)
            implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.DC_CONNECT_ETH;
        }
    }

    /** @param rkey the key that the receiver invalidates */
    record Ieth(int rkey) implements ExtendedHeader {
        @Override
        public HeaderKind kind() {
            return HeaderKind.IETH;
        }
    }
}
