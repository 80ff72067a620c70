// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.WorkRequest;

/**
 * A request of a send queue ({@code struct ibv_send_wr}) as a record of the contract. Used by the posting thread, during the
 * call.
 *
 * @param at address of the record
 * @param handles of windows, regions, indirect keys and address handles
 */
record SendRecord(long at, Handles handles) {
    private static final SendFlags[] FLAGS = allFlags();

    private static final int ALL_FLAGS =
            Calls.SendFlag.FENCE | Calls.SendFlag.SIGNALED | Calls.SendFlag.SOLICITED | Calls.SendFlag.INLINE;

    private static SendFlags[] allFlags() {
        SendFlags[] all = new SendFlags[ALL_FLAGS + 1];
        for (int bits = 0; bits <= ALL_FLAGS; bits++) {
            all[bits] = SendFlags.NONE
                    .withSignaled((bits & Calls.SendFlag.SIGNALED) != 0)
                    .withFence((bits & Calls.SendFlag.FENCE) != 0)
                    .withSolicited((bits & Calls.SendFlag.SOLICITED) != 0)
                    .withInline((bits & Calls.SendFlag.INLINE) != 0);
        }
        return all;
    }

    private int number(int field) {
        return AddressSpace.getInt(at + field);
    }

    private long word(int field) {
        return AddressSpace.getLong(at + field);
    }

    /** Returns the record behind it. */
    SendRecord next() {
        return new SendRecord(at + Integer.toUnsignedLong(number(Calls.Send.SIZE)), handles);
    }

    /** Returns the function with which the program posts it. */
    String function() {
        return bindsType1() ? Functions.BIND_MW : Functions.POST_SEND;
    }

    /** True if it binds a window of type 1, which has a verb of its own. */
    boolean bindsType1() {
        return number(Calls.Send.OPCODE) == Calls.OPCODE_BIND_TYPE1;
    }

    /** Returns the request; EINVAL if there is none with its opcode. */
    WorkRequest work() {
        long id = id();
        SendFlags flags = flags();
        int opcode = number(Calls.Send.OPCODE);
        return switch (opcode) {
            case Calls.WrOpcode.SEND -> Send.of(id, elements()).withFlags(flags);
            case Calls.WrOpcode.SEND_WITH_IMM ->
                Send.of(id, elements())
                        .withImmediate(number(Calls.Send.IMMEDIATE))
                        .withFlags(flags);
            case Calls.WrOpcode.SEND_WITH_INV ->
                Send.of(id, elements())
                        .withInvalidate(number(Calls.Send.IMMEDIATE))
                        .withFlags(flags);
            case Calls.WrOpcode.RDMA_WRITE ->
                RdmaWrite.of(id, elements(), remote()).withFlags(flags);
            case Calls.WrOpcode.RDMA_WRITE_WITH_IMM ->
                RdmaWrite.of(id, elements(), remote())
                        .withImmediate(number(Calls.Send.IMMEDIATE))
                        .withFlags(flags);
            case Calls.WrOpcode.RDMA_READ ->
                RdmaRead.of(id, elements(), remote()).withFlags(flags);
            case Calls.WrOpcode.ATOMIC_CMP_AND_SWP ->
                CompareAndSwap.of(id, elements(), remote(), word(Calls.Send.COMPARE_ADD), word(Calls.Send.SWAP))
                        .withFlags(flags);
            case Calls.WrOpcode.ATOMIC_FETCH_AND_ADD ->
                FetchAdd.of(id, elements(), remote(), word(Calls.Send.COMPARE_ADD))
                        .withFlags(flags);
            case Calls.WrOpcode.LOCAL_INV ->
                LocalInvalidate.of(id, number(Calls.Send.IMMEDIATE)).withFlags(flags);
            case Calls.WrOpcode.BIND_MW ->
                BindWindow.of(id, window(), binding())
                        .withVariant(number(Calls.Send.RKEY))
                        .withFlags(flags);
            case Calls.OPCODE_FILL_LIST -> fill(id, KeyLayout.list(elements())).withFlags(flags);
            case Calls.OPCODE_FILL_INTERLEAVED ->
                fill(id, KeyLayout.interleaved(number(Calls.Send.REPEAT), strided()))
                        .withFlags(flags);
            default ->
                throw new VerbsException(Errno.EINVAL, "the opcode 0x%x is of no request here".formatted(opcode));
        };
    }

    /** Returns the program's identifier. */
    long id() {
        return word(Calls.Send.WR_ID);
    }

    SendFlags flags() {
        int bits = number(Calls.Send.FLAGS);
        if ((bits & ~ALL_FLAGS) != 0) {
            throw VerbsException.invalid("the flags are 0x%x; 0x%x is allowed".formatted(bits, ALL_FLAGS));
        }
        return FLAGS[bits];
    }

    private List<LocalSlice> elements() {
        return ElementList.read(at + Calls.Send.BYTES, number(Calls.Send.ELEMENTS));
    }

    private RemoteAddress remote() {
        return new RemoteAddress(number(Calls.Send.RKEY), word(Calls.Send.REMOTE_ADDRESS));
    }

    MemoryWindow window() {
        return handles.get(word(Calls.Send.HANDLE), KeyCalls.Window.class).window();
    }

    /** Returns what a window is bound to. */
    WindowBinding binding() {
        long region = word(Calls.Send.REGION);
        long access = Integer.toUnsignedLong(number(Calls.Send.ACCESS));
        long address = word(Calls.Send.BIND_ADDRESS);
        long lengthBytes = word(Calls.Send.BIND_LENGTH);
        WindowBinding binding = region == 0
                ? WindowBinding.withoutRegion(address, lengthBytes)
                : WindowBinding.of(handles.get(region, MemoryCalls.Region.class).region(), address, lengthBytes);
        binding = binding.withAccess(Rights.read(access));
        return Rights.has(access, Calls.Access.ZERO_BASED) ? binding.withZeroBased() : binding;
    }

    private FillKey fill(long id, KeyLayout layout) {
        IndirectKey key =
                handles.get(word(Calls.Send.HANDLE), KeyCalls.Indirect.class).key();
        return FillKey.of(id, key, layout).withAccess(Rights.read(Integer.toUnsignedLong(number(Calls.Send.ACCESS))));
    }

    /** Each slice takes two elements; the address of the second one is the number of bytes to skip. */
    private List<StridedSlice> strided() {
        List<LocalSlice> all = elements();
        List<StridedSlice> slices = new ArrayList<>(all.size() / 2);
        for (int index = 0; index + 1 < all.size(); index += 2) {
            LocalSlice slice = all.get(index);
            int skip = Math.toIntExact(all.get(index + 1).address());
            slices.add(new StridedSlice(slice.lkey(), slice.address(), slice.lengthBytes(), skip));
        }
        return slices;
    }

    /** Returns where a datagram goes. */
    UdAddress datagramAddress() {
        return UdAddress.of(path(), number(Calls.Send.REMOTE_NUMBER), QKey.of(number(Calls.Send.QKEY)));
    }

    /** Returns where a request of a DC initiator goes. */
    DcAddress dcAddress() {
        return DcAddress.of(path(), number(Calls.Send.REMOTE_NUMBER), DcAccessKey.of(word(Calls.Send.DC_KEY)));
    }

    private AddressHandle path() {
        return handles.get(word(Calls.Send.HANDLE), AddressCalls.Path.class).handle();
    }

    /** Returns the number of an XRC request's shared receive queue. */
    int sharedReceiveQueue() {
        return number(Calls.Send.REMOTE_NUMBER);
    }

    int stream() {
        return number(Calls.Send.STREAM);
    }
}
