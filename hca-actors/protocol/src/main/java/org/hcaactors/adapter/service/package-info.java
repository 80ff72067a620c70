// SPDX-License-Identifier: Apache-2.0
/**
 * Services used by the objects of an adapter, and what the adapter needs to create one.
 *
 * <p>A new kind of object is a line in {@code ObjectKind}, and has a package of its own: a blueprint, which checks the request
 * and describes how the actor starts; the object itself, which defines the effect of a crash; and its handle. The adapter's
 * actor is not changed. An object with a memory key has a {@code KeyBlueprint} and a {@code TranslatedKey} instead: the actor
 * of every key is the same.
 */
@NullMarked
package org.hcaactors.adapter.service;

import org.jspecify.annotations.NullMarked;
