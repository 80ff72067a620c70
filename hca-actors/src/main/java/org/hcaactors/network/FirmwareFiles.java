// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareRefusal;
import org.hcaactors.api.firmware.FirmwareStore;

// rule firmware-kept
/**
 * Settings in a folder of yours, each adapter's in a file of its own: {@code NAME.conf}. A file is replaced as a whole: whenever
 * the program or its machine stops, those of before are there, or the new ones.
 *
 * <p>Threads: any. Limits: programs that have an adapter of one name open at the same time each know their own changes only, and
 * the last one is kept.
 */
public final class FirmwareFiles implements FirmwareStore {
    /** More than settings ever have; what is longer is damaged, and need not be read. */
    private static final int MOST_BYTES = 1 << 16;

    private final Path folder;
    private final FileSteps steps;

    private FirmwareFiles(Path folder, FileSteps steps) {
        this.folder = folder;
        this.steps = steps;
    }

    /** The folder is made when something is kept. */
    public static FirmwareFiles in(Path folder) {
        return in(folder, FileSteps.REAL);
    }

    static FirmwareFiles in(Path folder, FileSteps steps) {
        return new FirmwareFiles(folder, steps);
    }

    @Override
    public Optional<byte[]> load(String adapter) {
        try (InputStream file = Files.newInputStream(file(adapter))) {
            return Optional.of(file.readNBytes(MOST_BYTES));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException unreadable) {
            throw new FirmwareException(
                    new FirmwareRefusal.Damaged(place(adapter), "it can't be read (" + unreadable + ")"), unreadable);
        }
    }

    @Override
    public void keep(String adapter, byte[] settings) {
        try {
            Files.createDirectories(folder);
            // Without it, two programs would write to one file at a time, and rename what neither of them wrote.
            try (FileChannel lock = FileChannel.open(
                            folder.resolve(adapter + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = lock.lock()) {
                replace(adapter, settings, held);
            }
        } catch (IOException | OverlappingFileLockException failed) {
            throw new FirmwareException(
                    new FirmwareRefusal.NotKept(place(adapter), String.valueOf(failed.getMessage())), failed);
        }
    }

    private void replace(String adapter, byte[] settings, FileLock held) throws IOException {
        if (!held.isValid()) {
            throw new IOException("the lock is lost");
        }
        Path fresh = folder.resolve(adapter + ".conf.new");
        steps.write(fresh, settings);
        steps.force(fresh);
        steps.rename(fresh, file(adapter));
        steps.force(folder);
    }

    @Override
    public String place(String adapter) {
        return file(adapter).toString();
    }

    private Path file(String adapter) {
        return folder.resolve(adapter + ".conf");
    }
}
