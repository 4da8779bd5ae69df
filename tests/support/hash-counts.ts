/** How often passwords were hashed and checked in this process of tests: see `cheap-hashes.ts`. */
export const hashCounts = { hash: 0, verify: 0 };
