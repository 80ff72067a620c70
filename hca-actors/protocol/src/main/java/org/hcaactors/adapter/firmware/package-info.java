// SPDX-License-Identifier: Apache-2.0
/** Firmware settings of an adapter: values, effects, and file format. Pure classes without actors. */
@NullMarked
package org.hcaactors.adapter.firmware;

import org.jspecify.annotations.NullMarked;
