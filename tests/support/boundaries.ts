// What each part of the product may import. tests/unit/boundaries.test.ts refuses the rest.

const INFRASTRUCTURE = ['database', 'http', 'mail', 'security', 'settings'];
const EVERY_DOMAIN = [...INFRASTRUCTURE, 'visibility', 'audit', 'numbers'];

/** The folders of src/server, and the others that each may import. No two import each other. */
export const SERVER: Readonly<Record<string, readonly string[]>> = {
  database: [],
  http: ['database'],
  mail: ['database'],
  settings: ['database', 'http', 'mail'],
  security: ['database', 'settings'],
  visibility: ['database'],
  audit: ['database', 'http'],
  numbers: ['database', 'http', 'visibility'],
  schools: EVERY_DOMAIN,
  entries: EVERY_DOMAIN,
  reviews: EVERY_DOMAIN,
  proposals: [...EVERY_DOMAIN, 'entries', 'reviews', 'schools'],
  moderation: [...EVERY_DOMAIN, 'proposals', 'reviews', 'schools'],
  accounts: [...EVERY_DOMAIN, 'entries', 'profiles', 'proposals', 'reviews'],
  profiles: [...INFRASTRUCTURE, 'visibility', 'schools'],
  documents: ['database', 'http', 'schools', 'visibility'],
  data: [...EVERY_DOMAIN, 'accounts', 'entries', 'proposals', 'reviews', 'schools'],
  commands: [...EVERY_DOMAIN, 'accounts', 'data', 'documents', 'reviews', 'schools'],
};

/** Imports that are refused: from files that match `from`, of what matches `to` and not `except`. */
export interface Boundary {
  readonly why: string;
  readonly from: RegExp;
  readonly to: RegExp;
  readonly except?: RegExp;
}

export const BOUNDARIES: readonly Boundary[] = [
  ...Object.entries(SERVER).map(([folder, allowed]) => ({
    why: `${folder} may import ${['the contract', ...allowed].join(', ')}`,
    from: new RegExp(`^src/server/${folder}/`),
    to: /^src\/(?!contract\/)/,
    except: new RegExp(`^src/server/(?:${[folder, ...allowed].join('|')})/`),
  })),
  { why: 'the server knows the browser through the contract alone', from: /^src\/server\//, to: /^src\/client\// },
  { why: 'a domain knows queries of others, not how they are served', from: /^src\/server\/\w+\//, to: /routes\.ts$/ },
  { why: 'SQL stands in queries', from: /^src\/server\/(?!database\/).*(?<![/-]queries)\.ts$/, to: /^kysely$/ },
  { why: 'the product starts no program', from: /^src\//, to: /^node:child_process$/ },
  { why: 'browser and server agree on the contract', from: /^src\/contract\//, to: /^src\/(?!contract\/)|^node:/ },
  { why: 'there is no server in a browser', from: /^src\/client\//, to: /^src\/server\/|^node:/ },
  {
    why: 'what two pages need is shared',
    from: /^src\/client\/(?:pages|components|shared)\//,
    to: /^src\/client\/pages\//,
  },
  { why: 'the product knows nothing of tests and tools', from: /^src\//, to: /^(?:tests|torture|bench|bin)\// },
];
