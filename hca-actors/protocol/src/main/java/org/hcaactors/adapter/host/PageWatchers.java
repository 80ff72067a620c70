// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent.Departure;

/** Watchers of one address space's pages. Any thread. */
final class PageWatchers {
    private final Set<PageWatcher> watchers = new LinkedHashSet<>();

    synchronized void add(PageWatcher watcher) {
        watchers.add(watcher);
    }

    synchronized void remove(PageWatcher watcher) {
        watchers.remove(watcher);
    }

    private synchronized List<PageWatcher> present() {
        return watchers.isEmpty() ? List.of() : List.copyOf(watchers);
    }

    void invalidated(long address, long count, Departure reason) {
        present().forEach(each -> each.invalidated(address, count, reason));
    }
}
