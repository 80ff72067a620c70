// SPDX-License-Identifier: Apache-2.0
/** Stages of this library; not exported. */
@NullMarked
package org.hcaactors.client.stage;

import org.jspecify.annotations.NullMarked;
