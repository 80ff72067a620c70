// SPDX-License-Identifier: Apache-2.0
/**
 * A random walk over the verbs: several processes call whatever there is, wait for nothing, and a plain model says what may come
 * of each call and of each request.
 */
@NullMarked
package org.hcaactors.judge.walk;

import org.jspecify.annotations.NullMarked;
