package org.hcaactors.adapter.queue;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.asm.Advice;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.WorkRequest;

/** What a queue pair does wrong at its end, or when it is told something, while a bug is planted. */
public final class LifeBugs {
    private LifeBugs() {}

    /** Who once asked to be told of the end of a drain is told of every one. */
    public static final class TellsEveryDrain {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(value = 0, readOnly = false) QpModify change,
                @Advice.FieldValue("settings") QpSettings settings) {
            if (settings.notifyWhenDrained && change.target() == QpState.SQD) {
                change = notifying(change);
            }
        }
    }

    static QpModify notifying(QpModify change) {
        List<QpAttribute> all = new ArrayList<>(change.attributes());
        all.removeIf(QpAttribute.NotifyWhenDrained.class::isInstance);
        all.add(new QpAttribute.NotifyWhenDrained(true));
        return new QpModify(change.target(), all);
    }

    /** What a refused call wanted stays. */
    public static final class AppliesWhatIsRefused {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) QpModify change, @Advice.FieldValue("settings") QpSettings settings) {
            settings.apply(change.attributes());
        }
    }

    /** Empty or not, an element must be mapped. */
    public static final class ReadsEmptyElements {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) WorkRequest work, @Advice.FieldValue("door") QueuePairDoor door) {
            for (LocalSlice slice : work.local()) {
                if (slice.lengthBytes() == 0) {
                    door.readMemory(slice.address(), new byte[1], 0, 1);
                }
            }
        }
    }
}
