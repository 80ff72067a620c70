// SPDX-License-Identifier: Apache-2.0
/** Utilities for Reactive Streams. */
@NullMarked
package org.hcaactors.api.stream;

import org.jspecify.annotations.NullMarked;
