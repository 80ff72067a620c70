// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.io.IOException;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** Calls by their numbers in the contract. Any thread. */
final class Dispatch {
    private final DeviceCalls device;
    private final MemoryCalls memory;
    private final KeyCalls keys;
    private final CompletionCalls completions;
    private final SharedReceiveCalls receives;
    private final QueuePairCalls pairs;
    private final AddressCalls addresses;
    private final ProcessCalls process;

    Dispatch(Session session, ProcessCalls process) {
        device = new DeviceCalls(session);
        memory = new MemoryCalls(session);
        keys = new KeyCalls(session);
        completions = new CompletionCalls(session);
        receives = new SharedReceiveCalls(session);
        pairs = new QueuePairCalls(session);
        addresses = new AddressCalls(session);
        this.process = process;
    }

    /**
     * Serves a call.
     *
     * @throws VerbsException EOPNOTSUPP for a number that is unknown, otherwise as the call
     * @throws IOException if the report cannot be written
     */
    void call(int number, Block words) throws IOException {
        switch (number) {
            case Calls.CountDevices.CALL -> device.count(words);
            case Calls.DescribeDevice.CALL -> device.describe(words);
            case Calls.OpenDevice.CALL -> device.open(words);
            case Calls.CloseDevice.CALL -> device.close(words);
            case Calls.QueryDevice.CALL -> device.query(words);
            case Calls.QueryPort.CALL -> device.queryPort(words);
            case Calls.QueryGid.CALL -> device.queryGid(words);
            case Calls.QueryPkey.CALL -> device.queryPkey(words);
            case Calls.QueryClock.CALL -> device.queryClock(words);
            case Calls.ResolveMac.CALL -> device.resolveMac(words);
            case Calls.AllocPd.CALL -> memory.allocateDomain(words);
            case Calls.DeallocPd.CALL -> memory.deallocateDomain(words);
            case Calls.RegisterRegion.CALL -> memory.register(words);
            case Calls.DeregisterRegion.CALL -> memory.deregister(words);
            case Calls.ReregisterRegion.CALL -> memory.reregister(words);
            case Calls.AllocNullRegion.CALL -> memory.allocateNull(words);
            case Calls.Advise.CALL -> memory.advise(words);
            case Calls.AllocWindow.CALL -> keys.allocateWindow(words);
            case Calls.DeallocWindow.CALL -> keys.deallocateWindow(words);
            case Calls.WindowKey.CALL -> keys.windowKey(words);
            case Calls.CreateIndirectKey.CALL -> keys.createIndirectKey(words);
            case Calls.DestroyIndirectKey.CALL -> keys.destroyIndirectKey(words);
            case Calls.CreateCq.CALL -> completions.create(words);
            case Calls.ResizeCq.CALL -> completions.resize(words);
            case Calls.ModerateCq.CALL -> completions.moderate(words);
            case Calls.DestroyCq.CALL -> completions.destroy(words);
            case Calls.CreateSrq.CALL -> receives.create(words);
            case Calls.ModifySrq.CALL -> receives.modify(words);
            case Calls.QuerySrq.CALL -> receives.query(words);
            case Calls.DestroySrq.CALL -> receives.destroy(words);
            case Calls.Tag.CALL -> receives.tag(words);
            case Calls.CreateQp.CALL -> pairs.create(words);
            case Calls.OpenQp.CALL -> pairs.open(words);
            case Calls.ModifyQp.CALL -> pairs.modify(words);
            case Calls.QueryQp.CALL -> pairs.query(words);
            case Calls.DestroyQp.CALL -> pairs.destroy(words);
            case Calls.ResetStream.CALL -> pairs.resetStream(words);
            case Calls.AttachMulticast.CALL -> pairs.attachMulticast(words);
            case Calls.DetachMulticast.CALL -> pairs.detachMulticast(words);
            case Calls.CreateAh.CALL -> addresses.createHandle(words);
            case Calls.DestroyAh.CALL -> addresses.destroyHandle(words);
            case Calls.OpenXrcd.CALL -> addresses.openXrc(words);
            case Calls.CloseXrcd.CALL -> addresses.closeXrc(words);
            case Calls.Finish.CALL -> process.finish();
            case Calls.Fault.CALL -> process.fault(words);
            case Calls.NoteRefusal.CALL -> process.noteRefusal(words);
            default -> throw new VerbsException(Errno.EOPNOTSUPP, "there is no call " + number);
        }
    }
}
