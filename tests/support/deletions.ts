import { call } from './call.ts';
import { category, type RunningProduct, type TestUser } from './rows.ts';

export type DeletedKind = 'school' | 'entry';
type Caller = Pick<TestUser, 'token'>;

/** Deletes a school, or an entry of the first category. @returns the status */
export async function removeAs(
  product: RunningProduct,
  { token }: Caller,
  kind: DeletedKind,
  id: number,
): Promise<number> {
  const name = kind === 'school' ? 'deleteSchool' : category.calls.remove;
  return (await call(product, `DELETE /auth/${name}/${id}`, { token })).status;
}

export const restoreAs = (product: RunningProduct, { token }: Caller, kind: string, id: number) =>
  call(product, 'POST /auth/restoreDeleted', { token, body: { kind, id } });
