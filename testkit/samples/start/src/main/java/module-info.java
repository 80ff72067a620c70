// SPDX-License-Identifier: Apache-2.0
/** A user's program as a module. */
module org.hcaactors.samples.start {
    requires org.hcaactors.actors;
}
