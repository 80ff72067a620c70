// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.StridedSlice;

/** Content of an indirect key, and where each of its bytes is located (rule indirect-translation). */
public final class Filling {
    /** Consecutive bytes under one key. */
    public record Run(int key, long address, int count) {
        private boolean goesOnAt(Run next) {
            return key == next.key && address + count == next.address;
        }
    }

    private final AccessFlags rights;
    private final KeyLayout layout;
    private final long lengthBytes;
    /** End offset of each slice within one repetition. A list of tens of thousands is searched, not walked. */
    private final long[] ends;

    Filling(HcaEvent.KeyFilled filled) {
        this(filled.rights(), filled.layout());
    }

    Filling(AccessFlags rights, KeyLayout layout) {
        this.rights = rights;
        this.layout = layout;
        lengthBytes = layout.lengthBytes();
        ends = new long[layout.slices().size()];
        long end = 0;
        for (int i = 0; i < ends.length; i++) {
            end += layout.slices().get(i).lengthBytes();
            ends[i] = end;
        }
    }

    public AccessFlags rights() {
        return rights;
    }

    /** Returns the length of the memory that the key shows. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** True if some of its bytes belong to that key. */
    public boolean shows(int key) {
        return lengthBytes > 0
                && layout.slices().stream().anyMatch(slice -> slice.lkey() == key && slice.lengthBytes() > 0);
    }

    /**
     * Translates a range to the keys one level below.
     *
     * @throws IllegalArgumentException if the key does not show the range
     */
    public List<Run> runs(long from, int count) {
        if (from < 0 || count > lengthBytes - from) {
            throw new IllegalArgumentException(
                    "the key has " + lengthBytes + " bytes and cannot show " + count + " bytes at " + from);
        }
        List<Run> runs = new ArrayList<>();
        for (int done = 0; done < count; ) {
            Run next = at(from + done, count - done);
            done += next.count;
            Run last = runs.isEmpty() ? null : runs.getLast();
            if (last != null && last.goesOnAt(next)) {
                runs.set(runs.size() - 1, new Run(last.key, last.address, last.count + next.count));
            } else {
                runs.add(next);
            }
        }
        return runs;
    }

    /** Translates one range, up to the end of its slice. */
    private Run at(long offset, int max) {
        long cycle = ends[ends.length - 1];
        long left = offset % cycle;
        int number = reaching(left);
        StridedSlice slice = layout.slices().get(number);
        long in = left - (ends[number] - slice.lengthBytes());
        int count = (int) Math.min(max, ends[number] - left);
        return new Run(slice.lkey(), slice.address() + offset / cycle * slice.strideBytes() + in, count);
    }

    /** Returns the first slice that ends beyond the offset; an empty slice ends where the one before it does. */
    private int reaching(long left) {
        int low = 0;
        int high = ends.length - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (ends[middle] > left) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
