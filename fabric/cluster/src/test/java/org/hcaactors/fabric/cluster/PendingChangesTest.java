// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

/** Entries that wait to be written (rule cluster-directory). */
class PendingChangesTest {
    private final PendingChanges changes = new PendingChanges();

    private static Place place(int number) {
        return new Place(new PortAddress(1, number), 7, 1, "a", true, "uplink");
    }

    private List<PendingChanges.Change> polled(int most) {
        return changes.poll(most, true).values().stream().flatMap(List::stream).toList();
    }

    @Test
    void theLastChangeOfAnEntryCounts() {
        changes.put(place(1));
        changes.remove(place(1));
        assertThat(polled(10))
                .containsExactly(new PendingChanges.Change(new PortAddress(1, 1), place(1).key(), Optional.empty()));
    }

    @Test
    void aPartIsWrittenAtATimeInOrder() {
        IntStream.range(0, 100).forEach(number -> changes.put(place(number)));
        assertThat(polled(64))
                .hasSize(64)
                .extracting(change -> change.address().low())
                .allMatch(low -> low < 64);
        assertThat(polled(64)).hasSize(36);
        assertThat(changes.isEmpty()).isTrue();
    }

    @Test
    void changesAreGroupedByTheirBucket() {
        IntStream.range(0, 200).forEach(number -> changes.put(place(number)));
        changes.poll(200, true)
                .forEach((bucket, all) ->
                        assertThat(all).allMatch(change -> Claims.bucketOf(change.address()) == bucket));
    }

    @Test
    void withoutRoomOnlyRemovalsAreWritten() {
        changes.put(place(1));
        changes.remove(place(2));
        assertThat(changes.poll(10, false).values())
                .flatExtracting(all -> all)
                .containsExactly(new PendingChanges.Change(new PortAddress(1, 2), place(2).key(), Optional.empty()));
        assertThat(polled(10)).hasSize(1);
    }
}
