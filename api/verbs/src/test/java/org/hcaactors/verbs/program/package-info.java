// SPDX-License-Identifier: Apache-2.0
/** Unmodified programs of C and Python on modelled adapters. */
@NullMarked
package org.hcaactors.verbs.program;

import org.jspecify.annotations.NullMarked;
