// SPDX-License-Identifier: Apache-2.0
/**
 * Creates, uses and closes every kind of object, repeatedly, on real threads, and checks that the JVM's resources do not grow.
 */
@NullMarked
package org.hcaactors.judge.soak;

import org.jspecify.annotations.NullMarked;
