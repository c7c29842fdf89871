/** How long tests wait for what comes at once on a machine that has nothing else to do, in seconds. */
export const patience = 90
