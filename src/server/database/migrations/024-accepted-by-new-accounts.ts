export const name = '024-accepted-by-new-accounts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

/**
 * Records for accepted reviews whether their authors' accounts were new, which was computed from the accounts until
 * now. It must not change when an account is deleted. The previous version reads the value 2 as 0.
 */
export function statements(): string[] {
  return [
    `update reviews set by_new_account = 2
      where by_new_account = 0 and id in (
        select posted.id from proposals
        join users on users.id = proposals.user_id
        join reviews as posted on posted.user_id = proposals.user_id and posted.created_at = proposals.created_at
        where proposals.state = 'accepted' and proposals.review is not null
          and proposals.created_at - users.created_at < ${WEEK_MS}
      )`,
  ];
}
