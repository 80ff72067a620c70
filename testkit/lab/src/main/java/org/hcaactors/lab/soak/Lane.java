package org.hcaactors.lab.soak;

import java.util.Arrays;
import java.util.function.Consumer;

/** A thread that plays one round after the other, and how long it has been seen in the one that it plays. */
final class Lane {
    private static final String HERE = Lane.class.getPackageName();

    private final Ground ground;
    private final Thread thread;
    private volatile String round = "none";
    private volatile long count;
    private long seen = -1;
    private int looks;

    /** @param play plays until it is over */
    Lane(Ground ground, Consumer<Lane> play) {
        this.ground = ground;
        thread = Thread.ofPlatform().daemon().name("lane-" + ground.lane()).unstarted(() -> play.accept(this));
    }

    Ground ground() {
        return ground;
    }

    void start() {
        thread.start();
    }

    void begins(String name) {
        round = name;
        count++;
    }

    boolean isOver(int millis) {
        try {
            thread.join(millis);
            return !thread.isAlive();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the lanes play", interrupted);
        }
    }

    /** To be called now and then: true if it was in the same round each of the last so many times. */
    boolean hangsFor(int most) {
        long now = count;
        looks = now == seen ? looks + 1 : 0;
        seen = now;
        return looks >= most;
    }

    /** What it waits for. */
    String story() {
        return "round \"" + round + "\" does not end; its lane is at " + place(thread) + "; open: "
                + ground.openStages().openStages();
    }

    /** It is not waited for any more. */
    void giveUp() {
        thread.interrupt();
    }

    /** The line of the soak that a thread is at, and the line of others that it waits in. */
    static String place(Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace();
        String own = Arrays.stream(frames)
                .filter(frame -> frame.getClassName().startsWith(HERE))
                .filter(frame -> !"Ground.java".equals(frame.getFileName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("its end");
        return frames.length == 0 ? own : own + ", in " + frames[0];
    }
}
