/**
 * The statements about all schools, by what they are for: each as `shapeOf` writes it, with ` ~ ` for what is left out
 * here. In a distributed database they run on every node.
 */
export const ALL_SCHOOLS: Record<string, readonly string[]> = {
  'where a review is, and who its author is': [
    'select … from reviews where id = ?',
    'select … from reviews where id in (?)',
  ],
  'posts that are sent together, each with its school': ['with post as ( select … from json_to_recordset(?) ~'],
  'what one person wrote, marked, reported and appealed': [
    'select … from reviews inner join entries ~ (with mine as materialized (select … from reviews where user_id = ?) ~ order by page.created_at desc, page.id desc',
    'select … from reviews inner join appeals on appeals.review_id = reviews.id and appeals.school_id = reviews.school_id where reviews.user_id = ?',
    'select … from reviews where user_id = ? and username is not null and withdrawn_at is null',
    'select … from helpful_marks where user_id = ? order by review_id',
    'select … from reports where user_id = ? and created_at > ? order by created_at desc limit ?',
    'select … from reports where user_id = ? order by created_at',
  ],
  'a person is renamed or deleted, with or without what they wrote': [
    'select … from reviews where user_id = ? group by school_id order by school_id',
    'select … from reviews where (id, school_id) in (select … from helpful_marks where user_id = ?) group by school_id order by school_id',
    'select … from reviews where (id, school_id) in (select … from helpful_marks where user_id = ?) and school_id = ?',
    'update reviews set helpful = helpful - ? where (id, school_id) in (select … from helpful_marks where user_id = ?)',
    'update reviews set username = ? where user_id = ? and username is not null',
    'update reviews set user_id = ?, username = ? where user_id = ?',
    'update reports set user_id = ?, note = ? where user_id = ?',
    'delete from appeals where (review_id, school_id) in (select … from reviews where user_id = ?)',
    'delete from helpful_marks where user_id = ?',
    'delete from reviews where user_id = ?',
  ],
  'what one person proposed, and the proposals that wait': [
    'select … from proposals left join merged_schools ~ left join entries as made on made.id = proposals.made_id and made.school_id = proposals.school_id and proposals.kind = ? left join entries as entry on entry.id = coalesce(made.merged_into, made.id) and entry.school_id = made.school_id ~',
  ],
  'a leaderboard': [
    'select … from (select … from review_counts where review_counts.deleted_at is null and review_count > ? and kind = ? group by school_id) as rated inner join schools on schools.id = rated.school_id left join (~) as checked on checked.school_id = rated.school_id',
  ],
  'the totals of removals': [
    'select … from review_counts where review_counts.deleted_at is null',
    'select … from reviews where reviews.hidden_at is not null and withdrawn_at is null and entry_id not in (select … from entries where deleted_at is not null) group by half_stars',
  ],
  'what was deleted, the last first': [
    'select … from deletions left join schools ~ left join entries on entries.id = deletions.entry_id left join users ~',
  ],
  'the newest reviews, for admins, and the newest voices of the site': [
    'select … from ~ inner join entries ~ inner join (select … from reviews where reviews.hidden_at is null and reviews.withdrawn_at is null and reviews.entry_id not in (select … from entries where deleted_at is not null) ~ order by reviews.created_at desc, reviews.id desc limit ?) as page ~',
  ],
  'the moderation queue': [
    'select … from reviews inner join moderation_items on moderation_items.review_id = reviews.id and moderation_items.school_id = reviews.school_id inner join entries ~ where entries.deleted_at is null and moderation_items.opened_at is not null order by ~ limit ?',
    'select … from reviews inner join moderation_items on moderation_items.review_id = reviews.id and moderation_items.school_id = reviews.school_id inner join entries ~ where entries.deleted_at is null and moderation_items.opened_at is null order by ~ limit ?',
    'select … from moderation_items where moderation_items.opened_at is not null and moderation_items.review_id not in (select … from reviews where reviews.entry_id in (select … from entries where deleted_at is not null))',
  ],
  'hides that are held, and decisions that are old': [
    'select … from held_hides order by due_at limit ?',
    'select … from held_hides where due_at <= ? order by due_at limit ?',
    'select … from reviews inner join moderation_items as item ~ and item.opened_at is null and item.decided_at < ? order by item.decided_at limit ?',
  ],
  'the audit trail, with the entry that each line is about': [
    'select … from (select … from audit_entries ~ left join reviews as review on review.id = page.subject_id and subject_kind = ? ~ left join entries as entry on entry.deleted_at is null and entry.id = case when subject_kind = ? then page.subject_id else review.entry_id end ~ order by page.id desc',
  ],
  'the sitemap, and how many entries there are': [
    'select … from entries',
    'select … from entries where entries.merged_into is null and entries.deleted_at is null and id > ? and id <= ? order by id',
    'select … from entries) - (select … from entries where deleted_at is not null) - (select … from entries where merged_into is not null and deleted_at is null) as count',
  ],
  'the commonest words of the newest reviews': [
    'select … from reviews where reviews.hidden_at is null and reviews.withdrawn_at is null and reviews.entry_id not in (select … from entries where deleted_at is not null) ~ order by reviews.id desc limit ?',
  ],
  'the check of the data, by ranges of ids': [
    'select … from entries left join review_counts on review_counts.entry_id = entries.id and review_counts.school_id = entries.school_id ~ left join reviews on reviews.entry_id = entries.id ~ order by entries.id',
    'select … from entries left join entry_schools on entry_schools.entry_id = entries.id and entry_schools.entry_id > ? and entry_schools.entry_id <= ? where entries.id > ? and entries.id <= ? and entry_schools.school_id is distinct from entries.school_id',
    'select … from ( select … from relation_counts where entry_id > ? and entry_id <= ? ~ having max(counted) <> max(found) order by entry_id, relation',
    'select … from helpful_marks where helpful_marks.review_id = reviews.id and helpful_marks.school_id = reviews.school_id) as marks from reviews where entry_id > ? and entry_id <= ? ~',
    'select … from reviews join helpful_marks as item on item.review_id = reviews.id where ~ and item.school_id is distinct from reviews.school_id',
    'select … from reviews inner join moderation_items as item ~ and (item.burst_entry_id != reviews.entry_id or reviews.hidden_at is not null or reviews.withdrawn_at is not null) limit ?',
    'select … from schools left join deletions ~ join review_counts on review_counts.entry_id = entries.id and review_counts.school_id = entries.school_id ~ order by kind, id limit ?',
    'select … from reviews inner join removals as line ~ order by reviews.id limit ?',
    'select … from reviews where reviews.hidden_at is not null and not exists (select … from held_hides ~ order by reviews.id limit ?',
  ],
};

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether the shape of a statement is this one, in which ` ~ ` stands for any text. */
export const isShape = (pattern: string, shape: string) =>
  new RegExp(`^${pattern.split(/ ?~ ?/).map(escaped).join('.*')}$`).test(shape);
