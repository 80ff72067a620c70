// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.client.pool.DciPolicy;
import org.hcaactors.client.pool.DciPool;
import org.hcaactors.client.pool.DciPoolDescription;
import org.hcaactors.lab.world.World;

/** A pool, and targets that count their requests: the result of a request shows its place in the order. */
final class PoolSetup {
    static final Map<String, DciPolicy> POLICIES = policies();

    final DcSetup ground;
    final List<DcSetup.TargetSide> targets;
    final DcSetup.Member here;
    final DciPool pool;
    private final List<DcAddress> addresses;
    private int requests;

    PoolSetup(World world, int targetsInAll, int initiators, DciPolicy policy) {
        ground = new DcSetup(world);
        here = ground.new Member(world.adapter("asker", Profile.CONNECTX_6), "asker");
        targets = IntStream.range(0, targetsInAll)
                .mapToObj(number -> ground.asked(world.adapter("asked" + number, Profile.CONNECTX_6)))
                .toList();
        addresses = targets.stream().map(target -> to(target, DcSetup.KEY)).toList();
        CompletionQueue completions = ground.await(here.context.createCq(1024));
        pool = ground.await(DciPool.create(
                here.domain,
                DciPoolDescription.DEFAULT
                        .withInitiators(initiators)
                        .withPolicy(policy)
                        .withInitiatorDescription(
                                QpDescription.dc().withSendCq(completions).withCapacity(QpCapacity.of(32)))));
    }

    private static Map<String, DciPolicy> policies() {
        DcStreams streams = new DcStreams(2, 1);
        Map<String, DciPolicy> all = new LinkedHashMap<>();
        all.put("hashed", new DciPolicy.Hashed());
        all.put("exclusive", new DciPolicy.Exclusive());
        all.put("quota", new DciPolicy.Quota(4));
        all.put("hybrid", new DciPolicy.Hybrid(4, streams));
        all.put("random", new DciPolicy.Random(7));
        all.put("streams", new DciPolicy.Streams(streams));
        return all;
    }

    DcAddress to(DcSetup.TargetSide target, long key) {
        AddressVector path = AddressVector.to(target.target.gid());
        return DcAddress.of(
                ground.await(here.domain.createAddressHandle(path)), target.target.number(), DcAccessKey.of(key));
    }

    /** The result of one request. */
    record Asking(int target, long offset, CompletableFuture<WorkCompletion> answer) {}

    Asking ask(int target) {
        return ask(target, addresses.get(target));
    }

    Asking ask(int target, DcAddress to) {
        int request = requests++;
        long offset = request * 8L;
        FetchAdd work =
                FetchAdd.of(request, here.slice(offset, 8), targets.get(target).remote(0), 1);
        return new Asking(target, offset, pool.submit(to, work).toCompletableFuture());
    }

    List<Asking> askAll(List<Integer> order) {
        List<Asking> asked = new ArrayList<>();
        order.forEach(target -> asked.add(ask(target)));
        return asked;
    }

    /** Returns how many requests the target had got before. */
    long place(Asking asking) {
        return here.memory.readLong(asking.offset());
    }

    long connects() {
        return ground.world
                .trace()
                .of(HcaEvent.SessionChanged.class)
                .filter(change -> change.step() == SessionStep.CONNECTING || change.step() == SessionStep.RECONNECTING)
                .count();
    }

    void close() {
        ground.await(pool.closeAsync());
    }
}
