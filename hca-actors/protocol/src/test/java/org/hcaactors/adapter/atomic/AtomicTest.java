// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.hcaactors.api.work.AtomicValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AtomicTest {
    private static AtomicValue eight(String hex) {
        return AtomicValue.ofLong(Long.parseUnsignedLong(hex.replace("_", ""), 16));
    }

    private static AtomicValue four(String hex) {
        return AtomicValue.ofInt(Integer.parseUnsignedInt(hex, 16));
    }

    // rule atomic-masked-swap
    @ParameterizedTest(name = "{5}")
    @CsvSource({
        "7788, AAAAAAAAAAAAAAAA, FFFF, FFFF0000, 11223344AAAA7788, the low bytes are equal",
        "7789, AAAAAAAAAAAAAAAA, FFFF, FFFF0000, 1122334455667788, and here they are not",
        "0, FFFFFFFFFFFFFFFF, 0, FF00FF00FF00FF00, FF22FF44FF66FF88, nothing is compared: or",
        "1122334455667788, 0, FFFFFFFFFFFFFFFF, FFFFFFFFFFFFFFFF, 0, everything is compared and swapped",
        "DEADBEEFDEADBEEF, 0F0F0F0F0F0F0F0F, 0, FFFFFFFFFFFFFFFF, 0F0F0F0F0F0F0F0F, a swap",
        "1122334455667788, 5, FFFFFFFFFFFFFFFF, 0, 1122334455667788, equal and nothing to swap"
    })
    void aSwapLooksAtSomeBitsAndChangesOthers(
            String compare, String swap, String compareMask, String swapMask, String after, String name) {
        Atomic atomic = new Atomic.CompareSwap(eight(compare), eight(compareMask), eight(swap), eight(swapMask));
        assertThat(atomic.after(eight("1122334455667788"))).as(name).isEqualTo(eight(after));
    }

    @Test
    void theHighestBitIsABitLikeAnyOther() {
        AtomicValue top = eight("8000000000000000");
        Atomic atomic = new Atomic.CompareSwap(top, top, eight("7FFFFFFFFFFFFFFE"), top);
        assertThat(atomic.after(eight("8000000000000001"))).isEqualTo(eight("1"));
    }

    @Test
    void aSwapOfFourBytesLooksAtSomeBitsAndChangesOthers() {
        Atomic atomic = new Atomic.CompareSwap(four("BABE"), four("FFFF"), four("12345678"), four("FFFF0000"));
        assertThat(atomic.after(four("CAFEBABE"))).isEqualTo(four("1234BABE"));
    }

    // rule atomic-masked-add
    @ParameterizedTest(name = "{4}")
    @CsvSource({
        "5, 7, 0, C, no field ends: a sum",
        "FFFFFFFFFFFFFFFF, 1, 0, 0, a sum loses its last carry",
        "00FF00FF00FF00FF, 0001000100010001, 8000800080008000, 0100010001000100, four fields of two bytes",
        "FFFFFFFFFFFFFFFF, 0001000100010001, 8000800080008000, 0, each of which loses its carry",
        "00000000FFFFFFFF, 1, 80000000, 0, the lower half ends at its highest bit",
        "00000000FFFFFFFF, 1, 0, 100000000, and without an end it carries",
        "AAAAAAAAAAAAAAAA, FFFFFFFF00000000, FFFFFFFFFFFFFFFF, 55555555AAAAAAAA, each bit a field: exclusive or",
        "7F7F7F7F7F7F7F7F, 0101010101010101, 8080808080808080, 8080808080808080, the highest bit of a field is its own",
        "0F0F0F0F0F0F0F0F, 0101010101010101, 0808080808080808, 0, fields of four bits",
        "1, FFFFFFFFFFFFFFFF, 1, FFFFFFFFFFFFFFFE, the lowest bit is a field",
    })
    void aSumIsMadeFieldByField(String value, String add, String boundary, String after, String name) {
        Atomic atomic = new Atomic.FetchAdd(eight(add), eight(boundary));
        assertThat(atomic.after(eight(value))).as(name).isEqualTo(eight(after));
    }

    @ParameterizedTest
    @CsvSource({"FFFFFFFF, 2, 0, 1", "0000FFFF, 00010001, 00008000, 00010000"})
    void aSumOfFourBytesIsMadeFieldByField(String value, String add, String boundary, String after) {
        assertThat(new Atomic.FetchAdd(four(add), four(boundary)).after(four(value)))
                .isEqualTo(four(after));
    }

    @Test
    void aCarryGoesFromWordToWordUnlessAFieldEndsThere() {
        AtomicValue value = AtomicValue.ofWords(1, -1);
        AtomicValue one = AtomicValue.ofWords(0, 1);
        assertThat(new Atomic.FetchAdd(one, AtomicValue.zeros(16)).after(value)).isEqualTo(AtomicValue.ofWords(2, 0));
        assertThat(new Atomic.FetchAdd(one, AtomicValue.ofWords(0, Long.MIN_VALUE)).after(value))
                .isEqualTo(AtomicValue.ofWords(1, 0));
        assertThat(new Atomic.FetchAdd(AtomicValue.ofWords(0, 1, 0, 0), AtomicValue.zeros(32))
                        .after(AtomicValue.ofWords(4, -1, 7, 7)))
                .isEqualTo(AtomicValue.ofWords(5, 0, 7, 7));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32, 64, 256})
    void theSumIsThatOfTheLoopOverItsBits(int bytes) {
        SplittableRandom random = new SplittableRandom(bytes);
        for (int i = 0; i < 40_000 / bytes; i++) {
            AtomicValue value = any(bytes, random);
            AtomicValue add = any(bytes, random);
            AtomicValue boundary = any(bytes, random)
                    .and(
                            random.nextBoolean()
                                    ? any(bytes, random)
                                    : any(bytes, random).not());
            assertThat(new Atomic.FetchAdd(add, boundary).after(value))
                    .as("%s by %s, ends %s", value, add, boundary)
                    .isEqualTo(loop(value, add, boundary));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32, 64, 256})
    void theSwapIsThatOfTheLoopOverItsBits(int bytes) {
        SplittableRandom random = new SplittableRandom(bytes + 1L);
        for (int i = 0; i < 40_000 / bytes; i++) {
            AtomicValue value = any(bytes, random);
            AtomicValue compareMask = any(bytes, random);
            AtomicValue differs = random.nextBoolean() ? compareMask.not() : any(bytes, random);
            AtomicValue compare = value.xor(any(bytes, random).and(differs));
            AtomicValue swap = any(bytes, random);
            AtomicValue swapMask = any(bytes, random);
            assertThat(new Atomic.CompareSwap(compare, compareMask, swap, swapMask).after(value))
                    .as("%s, %s under %s, %s under %s", value, compare, compareMask, swap, swapMask)
                    .isEqualTo(swapped(value, compare, compareMask, swap, swapMask));
        }
    }

    private static AtomicValue swapped(
            AtomicValue value, AtomicValue compare, AtomicValue compareMask, AtomicValue swap, AtomicValue swapMask) {
        AtomicValue made = AtomicValue.zeros(value.sizeBytes());
        for (int bit = 0; bit < value.sizeBytes() * Byte.SIZE; bit++) {
            AtomicValue place = place(value.sizeBytes(), bit);
            if (has(compareMask, place) && has(compare, place) != has(value, place)) {
                return value;
            }
            boolean one = has(swapMask, place) ? has(swap, place) : has(value, place);
            made = one ? made.or(place) : made;
        }
        return made;
    }

    /** A value whose bits often carry: long runs of ones. */
    private static AtomicValue any(int bytes, SplittableRandom random) {
        if (bytes == Integer.BYTES) {
            return AtomicValue.ofInt(random.nextInt() | (random.nextBoolean() ? random.nextInt() : 0));
        }
        long[] words = new long[bytes / Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = switch (random.nextInt(4)) {
                case 0 -> -1;
                case 1 -> 0;
                default -> random.nextLong();
            };
        }
        return AtomicValue.ofWords(words);
    }

    /** The operation as defined: the carry out of a bit is cut if the bit ends a field. */
    private static AtomicValue loop(AtomicValue value, AtomicValue add, AtomicValue boundary) {
        AtomicValue sum = AtomicValue.zeros(value.sizeBytes());
        boolean carry = false;
        for (int bit = 0; bit < value.sizeBytes() * Byte.SIZE; bit++) {
            AtomicValue place = place(value.sizeBytes(), bit);
            int ones = (has(value, place) ? 1 : 0) + (has(add, place) ? 1 : 0) + (carry ? 1 : 0);
            sum = ones % 2 == 1 ? sum.or(place) : sum;
            carry = ones > 1 && !has(boundary, place);
        }
        return sum;
    }

    private static boolean has(AtomicValue value, AtomicValue place) {
        return !value.and(place).isZero();
    }

    private static AtomicValue place(int bytes, int bit) {
        if (bytes == Integer.BYTES) {
            return AtomicValue.ofInt(1 << bit);
        }
        long[] words = new long[bytes / Long.BYTES];
        words[words.length - 1 - bit / Long.SIZE] = 1L << bit;
        return AtomicValue.ofWords(words);
    }
}
