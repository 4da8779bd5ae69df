/** How often this test process hashed and checked passwords: see `cheap-hashes.ts`. */
export const hashCounts = { hash: 0, verify: 0 };
