// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.hcaactors.fabric.uplink.Polling;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks of a shard on its own thread, on a thread that drives it, and on one that polls. */
@Timeout(20)
class ShardTasksTest {
    private final CompletableFuture<Throwable> reported = new CompletableFuture<>();
    private final ThreadFactory threads = task -> {
        Thread made = new Thread(task, "own");
        made.setUncaughtExceptionHandler((thread, failed) -> reported.complete(failed));
        return made;
    };
    private final AtomicLong time = new AtomicLong();
    private final Polling polling = new Polling(time::get);
    private final ShardTasks tasks = new ShardTasks();
    private final ShardExecutor executor = new ShardExecutor(tasks, threads);

    @AfterEach
    void stop() throws InterruptedException {
        executor.shutdown();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    private static String running() {
        return Thread.currentThread().getName();
    }

    @Test
    void withoutADriveTheOwnThreadRunsTasksInOrder() throws InterruptedException {
        List<Integer> ran = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1000);
        IntStream.range(0, 1000)
                .forEach(i -> executor.execute(() -> {
                    ran.add(i);
                    done.countDown();
                }));
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isEqualTo(IntStream.range(0, 1000).boxed().toList());
    }

    @Test
    void onlyTheDrivingThreadRunsTasks() {
        Drive drive = tasks.drive(Optional.empty());
        List<String> ran = new ArrayList<>();
        while (ran.size() < 500) {
            executor.execute(() -> ran.add(running()));
            drive.progress();
        }
        assertThat(ran).containsOnly(running());
    }

    @Test
    void oneCallRunsABoundedNumberOfTasks() {
        ShardTasks unstarted = new ShardTasks();
        Drive drive = unstarted.drive(Optional.empty());
        List<Integer> ran = new ArrayList<>();
        IntStream.range(0, 100).forEach(i -> unstarted.add(() -> ran.add(i)));
        assertThat(drive.progress()).isEqualTo(ShardTasks.MAX_RUN);
        assertThat(drive.progress()).isEqualTo(100 - ShardTasks.MAX_RUN);
        assertThat(drive.progress()).isZero();
        assertThat(ran).hasSize(100).isSorted();
    }

    @Test
    void progressWithinATaskRunsNothing() {
        ShardTasks unstarted = new ShardTasks();
        Drive drive = unstarted.drive(Optional.empty());
        List<Integer> within = new ArrayList<>();
        unstarted.add(() -> within.add(drive.progress()));
        unstarted.add(() -> within.add(-1));
        assertThat(drive.progress()).isEqualTo(2);
        assertThat(within).containsExactly(0, -1);
    }

    @Test
    void theOwnThreadContinuesWhenTheDriveIsClosed() throws Exception {
        Drive drive = tasks.drive(Optional.empty());
        drive.progress();
        CompletableFuture<String> ran = new CompletableFuture<>();
        executor.execute(() -> ran.complete(running()));
        drive.close();
        drive.close();
        assertThat(ran.get(10, TimeUnit.SECONDS)).isEqualTo("own");
    }

    @Test
    void whileAThreadPollsTheOwnThreadRunsNothing() {
        poll();
        List<String> ran = new CopyOnWriteArrayList<>();
        while (ran.size() < 500) {
            executor.execute(() -> ran.add(running()));
            poll();
        }
        // It may have looked for tasks just before the first poll.
        assertThat(ran.subList(100, 500)).containsOnly(running());
    }

    @Test
    void theOwnThreadContinuesWhenAThreadPollsNoMore() throws Exception {
        poll();
        CompletableFuture<String> unwoken = new CompletableFuture<>();
        executor.execute(() -> unwoken.complete(running()));
        time.addAndGet(Polling.RECENT_NANOS);
        assertThat(unwoken.get(10, TimeUnit.SECONDS)).isEqualTo("own");
        CompletableFuture<String> woken = new CompletableFuture<>();
        executor.execute(() -> woken.complete(running()));
        assertThat(woken.get(10, TimeUnit.SECONDS)).isEqualTo("own");
    }

    @Test
    void theOwnThreadContinuesAfterTheAnnouncedLastPoll() throws Exception {
        poll();
        CompletableFuture<String> ran = new CompletableFuture<>();
        executor.execute(() -> ran.complete(running()));
        polling.end();
        tasks.pollsNoMore();
        assertThat(ran.get(10, TimeUnit.SECONDS)).isEqualTo("own");
    }

    @Test
    void aPollRunsNothingWhileAThreadDrives() {
        try (Closing drive = new Closing(tasks.drive(Optional.empty()))) {
            List<String> ran = new ArrayList<>();
            executor.execute(() -> ran.add(running()));
            assertThat(poll()).isZero();
            assertThat(drive.of.progress()).isEqualTo(1);
            assertThat(ran).hasSize(1);
        }
    }

    /** A drive that is closed at the end of a test, whatever its outcome. */
    private record Closing(Drive of) implements AutoCloseable {
        @Override
        public void close() {
            of.close();
        }
    }

    private int poll() {
        polling.note();
        return tasks.poll(polling);
    }

    @Test
    @Tag("judge")
    void noTaskIsLeftWhenAThreadStopsPolling() throws Exception {
        Polling real = new Polling(System::nanoTime);
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 3000; round++) {
            for (int polls = random.nextInt(200); polls > 0; polls--) {
                real.note();
                tasks.poll(real);
            }
            LockSupport.parkNanos(random.nextLong(2 * Polling.RECENT_NANOS));
            CompletableFuture<Boolean> ran = new CompletableFuture<>();
            executor.execute(() -> ran.complete(true));
            if (random.nextBoolean()) {
                real.note();
                tasks.poll(real);
            }
            assertThat(ran).as("round %d", round).succeedsWithin(Duration.ofSeconds(5));
        }
    }

    @Test
    void aSecondDriveIsRefusedUntilTheFirstIsClosed() {
        Drive drive = tasks.drive(Optional.empty());
        assertThatThrownBy(() -> tasks.drive(Optional.empty()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("drives this shard already");
        drive.close();
        Drive next = tasks.drive(Optional.empty());
        drive.close();
        assertThatThrownBy(() -> tasks.drive(Optional.empty()))
                .as("an old drive closes nothing")
                .isInstanceOf(IllegalStateException.class);
        next.close();
    }

    @Test
    void anExceptionOfATaskIsReportedAndNotThrownByProgress() throws Exception {
        Drive drive = tasks.drive(Optional.empty());
        IllegalStateException failed = new IllegalStateException("of a task");
        executor.execute(() -> {
            throw failed;
        });
        drive.progress();
        assertThat(reported.get(10, TimeUnit.SECONDS)).isSameAs(failed);
    }

    @Test
    void anInterruptionOfATaskIsKeptForTheDrivingThread() {
        ShardTasks unstarted = new ShardTasks();
        Drive drive = unstarted.drive(Optional.empty());
        List<Boolean> interrupted = new ArrayList<>();
        unstarted.add(() -> throwAs(new InterruptedException()));
        unstarted.add(() -> interrupted.add(Thread.currentThread().isInterrupted()));
        assertThat(drive.progress()).isEqualTo(2);
        assertThat(interrupted).as("during the next task").containsExactly(false);
        assertThat(Thread.interrupted()).isTrue();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAs(Throwable failed) throws T {
        throw (T) failed;
    }

    @Test
    void aRequestedWakeupComesOnceWithTheNextTask() {
        ShardTasks unstarted = new ShardTasks();
        List<String> woken = new ArrayList<>();
        Drive drive = unstarted.drive(Optional.of(() -> woken.add(running())));
        unstarted.add(() -> {});
        assertThat(woken).as("not requested").isEmpty();
        assertThat(drive.requestWakeup()).as("a task is ready").isFalse();
        drive.progress();
        assertThat(drive.requestWakeup()).isTrue();
        unstarted.add(() -> {});
        unstarted.add(() -> {});
        assertThat(woken).containsExactly(running());
    }

    @Test
    void anExceptionOfAWakeupIsLoggedAndTheTaskIsAdded() throws Exception {
        Drive drive = tasks.drive(Optional.of(() -> {
            throw new IllegalStateException("of a wakeup");
        }));
        assertThat(drive.requestWakeup()).isTrue();
        CompletableFuture<String> ran = new CompletableFuture<>();
        executor.execute(() -> ran.complete(running()));
        drive.close();
        assertThat(ran.get(10, TimeUnit.SECONDS)).isEqualTo("own");
        assertThat(reported).as("it is none of the shard's thread").isNotDone();
    }

    @Test
    void tasksOfManyThreadsAllRunWhileDrivesOpenAndClose() throws Exception {
        int adders = 3;
        int each = 20_000;
        int[] ran = new int[1];
        CountDownLatch done = new CountDownLatch(adders * each);
        List<Thread> adding = IntStream.range(0, adders)
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    for (int n = 0; n < each; n++) {
                        executor.execute(() -> {
                            ran[0]++;
                            done.countDown();
                        });
                    }
                }))
                .toList();
        while (done.getCount() > 0) {
            Drive drive = tasks.drive(Optional.empty());
            for (int n = 0; n < 100; n++) {
                drive.progress();
            }
            drive.close();
        }
        for (Thread thread : adding) {
            assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
        }
        assertThat(ran[0]).as("without a lock, as one thread at a time").isEqualTo(adders * each);
    }

    @Test
    void whatADriverLeavesIsRunByTheOwnThread() throws Exception {
        int chain = 3 * ShardTasks.MAX_RUN;
        for (int round = 0; round < 300; round++) {
            Drive drive = tasks.drive(Optional.empty());
            CountDownLatch done = new CountDownLatch(chain);
            executor.execute(() -> {
                for (int i = 0; i < chain; i++) {
                    executor.execute(done::countDown);
                }
            });
            for (int calls = round % 3; calls > 0; calls--) {
                drive.progress();
            }
            drive.close();
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aDriveBeginsWhenTheRunningTaskHasEndedAndHasTheRest() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<String> ran = new ArrayList<>();
        executor.execute(() -> {
            began.countDown();
            await(mayEnd);
            ran.add(running());
        });
        executor.execute(() -> ran.add(running()));
        await(began);
        CompletableFuture<Drive> opened =
                CompletableFuture.supplyAsync(() -> tasks.drive(Optional.of(() -> {})), Thread::startVirtualThread);
        assertThatThrownBy(() -> opened.get(20, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        mayEnd.countDown();
        Drive drive = opened.get(10, TimeUnit.SECONDS);
        assertThat(drive.requestWakeup()).as("a task is left").isFalse();
        assertThat(drive.progress()).isOne();
        assertThat(ran).containsExactly("own", running());
    }

    @Test
    void anAssistantRunsWhatItMadeReady() {
        ShardTasks unstarted = new ShardTasks();
        List<String> ran = new ArrayList<>();
        unstarted.assist(() -> {
            unstarted.add(() -> unstarted.add(() -> ran.add(running())));
            unstarted.add(() -> ran.add(running()));
            assertThat(ran).isEmpty();
        });
        assertThat(ran).containsExactly(running(), running());
    }

    @Test
    void whatAnAssistantLeavesIsRunByTheOwnThread() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(10 * ShardTasks.MAX_RUN);
        tasks.assist(() -> {
            for (int i = 0; i < 10 * ShardTasks.MAX_RUN; i++) {
                tasks.add(done::countDown);
            }
        });
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anAssistantDoesNotWaitForAnotherThread() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        tasks.add(() -> {
            began.countDown();
            await(ends);
        });
        await(began);
        tasks.assist(() -> tasks.add(done::countDown));
        assertThat(done.getCount()).isEqualTo(1);
        ends.countDown();
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anAssistantRunsNothingOfADrivenShard() {
        Drive drive = tasks.drive(Optional.empty());
        List<String> ran = new ArrayList<>();
        tasks.assist(() -> tasks.add(() -> ran.add(running())));
        assertThat(ran).isEmpty();
        drive.progress();
        assertThat(ran).containsExactly(running());
    }

    @Test
    void anInterruptionOfATaskIsKeptForTheAssistant() {
        ShardTasks unstarted = new ShardTasks();
        unstarted.assist(() -> unstarted.add(() -> throwAs(new InterruptedException())));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anAssistantThatFailsHasRunWhatItMadeReady() {
        ShardTasks unstarted = new ShardTasks();
        List<String> ran = new ArrayList<>();
        assertThatThrownBy(() -> unstarted.assist(() -> {
                    unstarted.add(() -> ran.add(running()));
                    throw new IllegalStateException("planned");
                }))
                .hasMessage("planned");
        assertThat(ran).hasSize(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void aDriveWhoseThreadHasEndedIsReplaced() throws Exception {
        CompletableFuture<Drive> opened = new CompletableFuture<>();
        Thread ended = Thread.ofPlatform().start(() -> opened.complete(tasks.drive(Optional.empty())));
        assertThat(ended.join(Duration.ofSeconds(10))).isTrue();
        Drive next = tasks.drive(Optional.empty());
        opened.get(1, TimeUnit.SECONDS).close();
        executor.execute(() -> {});
        assertThat(next.progress()).as("the old drive closes nothing").isOne();
    }

    @Test
    void aTaskCannotDriveItsShard() throws Exception {
        CompletableFuture<Drive> within = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                within.complete(tasks.drive(Optional.empty()));
            } catch (IllegalStateException refused) {
                within.completeExceptionally(refused);
            }
        });
        assertThat(within)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withMessageContaining("a handler that runs on the shard can't drive it");
    }

    @Test
    void aClosedDriveRunsNothing() {
        ShardTasks unstarted = new ShardTasks();
        Drive first = unstarted.drive(Optional.empty());
        first.close();
        Drive second = unstarted.drive(Optional.empty());
        unstarted.add(() -> {});
        assertThat(first.progress()).isZero();
        assertThat(second.progress()).isOne();
    }

    @Test
    void aWaitingThreadDrivesOnlyUntilAnotherBegins() throws Exception {
        ShardTasks unstarted = new ShardTasks();
        Drive drive = unstarted.drive(Optional.empty());
        unstarted.add(() -> {});
        assertThat(drive.progressOf(Thread.currentThread())).isOne();
        CompletableFuture.runAsync(drive::progress, Thread::startVirtualThread).get(10, TimeUnit.SECONDS);
        unstarted.add(() -> {});
        assertThat(drive.progressOf(Thread.currentThread())).isZero();
    }

    @Test
    void aStoppedExecutorRejectsTasks() throws Exception {
        ExecutorService other = new ShardExecutor(new ShardTasks(), threads);
        other.shutdown();
        assertThat(other.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> other.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void aSecondOwnThreadRunsWhatComesAfterTheFirst() throws Exception {
        for (int round = 0; round < 50; round++) {
            ExecutorService first = new ShardExecutor(tasks, threads);
            ExecutorService second = new ShardExecutor(tasks, threads);
            first.shutdown();
            CompletableFuture<String> ran = new CompletableFuture<>();
            second.execute(() -> ran.complete(running()));
            assertThat(ran.get(10, TimeUnit.SECONDS)).isEqualTo("own");
            assertThat(first.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            second.shutdown();
        }
    }

    @Test
    void aDriveThatIsClosedWithinATaskLeavesTheRest() throws Exception {
        Drive drive = tasks.drive(Optional.empty());
        CompletableFuture<String> rest = new CompletableFuture<>();
        executor.execute(drive::close);
        IntStream.range(0, ShardTasks.MAX_RUN).forEach(i -> executor.execute(() -> {}));
        executor.execute(() -> rest.complete(running()));
        drive.progress();
        assertThat(rest.get(10, TimeUnit.SECONDS)).isEqualTo("own");
    }
}
