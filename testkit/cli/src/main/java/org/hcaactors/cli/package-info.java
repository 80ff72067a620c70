// SPDX-License-Identifier: Apache-2.0
/** The hca command. */
@NullMarked
package org.hcaactors.cli;

import org.jspecify.annotations.NullMarked;
