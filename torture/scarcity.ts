import { reviewCalls } from '../src/contract/reviews.ts';
import { send } from './http.ts';
import { openSqlitePlace, sqliteIn } from './places.ts';
import { type Population, populate } from './population.ts';
import { type Server, type Start, startServer } from './server.ts';

const REVIEW = 'x'.repeat(5_000);

/**
 * What a trial with too little of something has seen. Everything that is not as promised is described in a sentence.
 */
export interface Seen {
  refused: number;
  slowestBackMs: number;
  readonly faults: string[];
}

export function expectThat(isSo: boolean, { faults }: Seen, otherwise: string): void {
  if (!isSo) faults.push(otherwise);
}

/** A product that can be written to. */
export interface Scene {
  readonly dataDir: string;
  readonly server: Server;
  readonly population: Population;
  /** Posts a long review of an entry that its author has not reviewed. */
  post(): ReturnType<typeof send>;
}

function createPost(url: string, { targets, reviewers }: Population): Scene['post'] {
  const pairs = targets.flatMap((target) => reviewers.map((author) => ({ target, author }))).values();
  return () => {
    const pair = pairs.next().value;
    if (!pair) throw new Error('There are too few entries.');
    const { category, id } = pair.target;
    const body = { [category.itemKey]: { id }, rating: 5, review: REVIEW };
    return send(url, reviewCalls(category).post, { token: pair.author.token, body });
  };
}

/** Starts a product in a folder, lets something be done to it, and ends it. @throws when it logged an error */
export async function onStage(dataDir: string, start: Start, act: (scene: Scene) => Promise<void>): Promise<void> {
  const { address, env } = sqliteIn(dataDir);
  const population = await populate(address, { targets: 30, accounts: 2 });
  const server = await startServer({ ...start, env });
  try {
    await act({ dataDir, server, population, post: createPost(server.url, population) });
  } finally {
    await server.kill();
  }
  if (server.errors.length > 0) throw new Error(`Logged at error: ${JSON.stringify(server.errors[0])}`);
}

/** Does the same as `onStage`, in a new folder. */
export async function inFolder(start: Start, act: (scene: Scene) => Promise<void>): Promise<void> {
  using place = openSqlitePlace();
  await onStage(place.dataDir, start, act);
}
