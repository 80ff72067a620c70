// SPDX-License-Identifier: Apache-2.0
/** A gateway between two hosts: their packets and their texts pass it, with other addresses and with faults. */
@NullMarked
package org.hcaactors.cli.between;

import org.jspecify.annotations.NullMarked;
