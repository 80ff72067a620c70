// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareRefusal;
import org.hcaactors.api.firmware.FirmwareStore;
import org.jspecify.annotations.Nullable;

// rule firmware-kept
/**
 * Store of firmware settings in a folder, one file {@code NAME.conf} for each adapter. A file is replaced atomically: after a
 * crash of the program or its machine it has either the old settings or the new ones.
 *
 * <p>Threads: any. Limits: if several programs change the settings of one adapter at the same instant, one succeeds and the
 * others are refused; a program waits up to a second for another one that is writing.
 */
public final class FirmwareFiles implements FirmwareStore {
    /** More than settings ever need; a longer file is damaged and need not be read. */
    private static final int MAX_BYTES = 1 << 16;

    private static final int LOCK_ATTEMPTS = 100;
    private static final long BETWEEN_ATTEMPTS_NANOS = 10_000_000;

    private final Path folder;
    private final FileOperations operations;

    /** Contents of each adapter's file when it was last read or written; empty if there was no file. */
    private final Map<String, Optional<byte[]>> lastSeen = new ConcurrentSkipListMap<>();

    private FirmwareFiles(Path folder, FileOperations operations) {
        this.folder = folder;
        this.operations = operations;
    }

    /** Returns a store in that folder, which is created by the first write. */
    public static FirmwareFiles in(Path folder) {
        return in(folder, FileOperations.REAL);
    }

    static FirmwareFiles in(Path folder, FileOperations operations) {
        return new FirmwareFiles(folder, operations);
    }

    @Override
    public Optional<byte[]> load(String adapter) {
        try {
            Optional<byte[]> stored = read(adapter);
            lastSeen.put(adapter, stored);
            return stored;
        } catch (IOException unreadable) {
            throw new FirmwareException(
                    new FirmwareRefusal.Damaged(location(adapter), "the file can't be read: " + message(unreadable)),
                    unreadable);
        }
    }

    private Optional<byte[]> read(String adapter) throws IOException {
        Path file = file(adapter);
        // Opening a named pipe would block until another program opens it for writing.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("the path is not a regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(in.readNBytes(MAX_BYTES));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    @Override
    public void save(String adapter, byte[] settings) {
        try {
            Files.createDirectories(folder);
            // Without the lock two programs could write one file at the same time and rename a mixture.
            try (FileChannel channel = FileChannel.open(
                            folder.resolve(adapter + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = lock(channel)) {
                replace(adapter, settings, held);
            }
        } catch (IOException failed) {
            throw new FirmwareException(new FirmwareRefusal.NotStored(location(adapter), message(failed)), failed);
        }
    }

    /** Waits for a limited time: a suspended program keeps its lock. */
    private static FileLock lock(FileChannel channel) throws IOException {
        for (int i = 0; i < LOCK_ATTEMPTS; i++) {
            FileLock held = tryLock(channel);
            if (held != null) {
                return held;
            }
            LockSupport.parkNanos(BETWEEN_ATTEMPTS_NANOS);
        }
        throw new IOException("another program is writing the settings");
    }

    /** Returns null if this or another program holds the lock. */
    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldHere) {
            return null;
        }
    }

    private void replace(String adapter, byte[] settings, FileLock held) throws IOException {
        if (!held.isValid()) {
            throw new IOException("the lock of the settings was lost");
        }
        checkUnchanged(adapter);
        Path newFile = folder.resolve(adapter + ".conf.new");
        operations.write(newFile, settings);
        operations.force(newFile);
        operations.rename(newFile, file(adapter));
        lastSeen.put(adapter, Optional.of(settings.clone()));
        operations.force(folder);
    }

    /** The new settings are derived from those read earlier, and would undo changes that another program made since. */
    private void checkUnchanged(String adapter) throws IOException {
        Optional<byte[]> seen = lastSeen.get(adapter);
        if (seen != null && !seen.map(ByteBuffer::wrap).equals(read(adapter).map(ByteBuffer::wrap))) {
            throw new IOException("another program has changed the settings meanwhile; set them again");
        }
    }

    /** Returns the system's message without the name of the exception class. */
    private static String message(IOException failed) {
        if (failed instanceof ClosedByInterruptException) {
            return "the thread was interrupted";
        }
        if (!(failed instanceof FileSystemException system)) {
            return String.valueOf(failed.getMessage());
        }
        String reason = switch (system) {
            case AccessDeniedException denied -> "access is denied";
            case FileAlreadyExistsException exists -> "the path is not a folder";
            case NoSuchFileException none -> "the path does not exist and can't be created";
            default -> String.valueOf(system.getReason());
        };
        return system.getFile() + ": " + reason;
    }

    @Override
    public String location(String adapter) {
        return file(adapter).toString();
    }

    private Path file(String adapter) {
        return folder.resolve(adapter + ".conf");
    }
}
