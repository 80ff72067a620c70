package org.hcaactors.adapter.number;

import java.util.LinkedHashSet;
import java.util.Set;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/**
 * Numbers given out one after the other, around a circle: one that is freed comes back when every other one that was free had
 * its turn. That is its rest, in which what still names its last owner finds nothing.
 */
public final class NumberSpace {
    private final String what;
    private final int least;
    private final int most;
    private final Set<Integer> used = new LinkedHashSet<>();
    private int next;
    private int laps;

    /**
     * @param what is numbered, in the plural
     * @param first of the numbers {@code least} to {@code most} to be given out
     */
    public NumberSpace(String what, int least, int most, int first) {
        this.what = what;
        this.least = least;
        this.most = most;
        next = first;
    }

    /** ENOMEM while every number is in use. */
    public int take() {
        if (used.size() > most - least) {
            throw new VerbsException(Errno.ENOMEM, "all " + used.size() + " numbers of " + what + " are in use");
        }
        int number = step();
        while (!used.add(number)) {
            number = step();
        }
        return number;
    }

    private int step() {
        if (next > most) {
            next = least;
            laps++;
        }
        return next++;
    }

    /** Without effect unless it is in use. */
    public void free(int number) {
        used.remove(number);
    }

    /** How often the last number taken had come round. */
    public int laps() {
        return laps;
    }

    public int inUse() {
        return used.size();
    }
}
