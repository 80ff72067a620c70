// SPDX-License-Identifier: Apache-2.0
/** Programs that use libibverbs, each in a process of its own with a modelled adapter. */
@NullMarked
package org.hcaactors.cli.exec;

import org.jspecify.annotations.NullMarked;
