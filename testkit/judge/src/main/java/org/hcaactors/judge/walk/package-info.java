// SPDX-License-Identifier: Apache-2.0
/**
 * A random walk over the verbs: several processes call every verb, wait for none, and a simple model has the allowed results of
 * each call and each request.
 */
@NullMarked
package org.hcaactors.judge.walk;

import org.jspecify.annotations.NullMarked;
