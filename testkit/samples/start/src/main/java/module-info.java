// SPDX-License-Identifier: Apache-2.0
/** A program of a user's, as a module. */
module org.hcaactors.samples.start {
    requires org.hcaactors.actors;
}
