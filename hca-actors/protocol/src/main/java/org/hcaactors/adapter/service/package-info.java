// SPDX-License-Identifier: Apache-2.0
/**
 * What the objects of an adapter use, and what the adapter must know to make one.
 *
 * <p>A new kind of object is a line in {@code ObjectKind}, and in a room of its own: a blueprint, which checks what was asked for
 * and says how the actor begins; the object itself, which says what a crash means; and its handle. Nothing is added to the
 * adapter's actor. What has a memory key brings a {@code KeyBlueprint} and a {@code TranslatedKey} instead: every key's actor
 * is the same.
 */
@NullMarked
package org.hcaactors.adapter.service;

import org.jspecify.annotations.NullMarked;
