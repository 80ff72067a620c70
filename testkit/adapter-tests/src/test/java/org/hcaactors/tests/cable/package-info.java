// SPDX-License-Identifier: Apache-2.0
/** Networks that are joined by a cable, on real threads. */
@NullMarked
package org.hcaactors.tests.cable;

import org.jspecify.annotations.NullMarked;
