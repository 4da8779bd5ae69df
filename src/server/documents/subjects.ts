import type { AnswerOf } from '../../contract/call.ts';
import { CATEGORIES, type Category } from '../../contract/categories.ts';
import { entryCalls, entryName } from '../../contract/entries.ts';
import { categoryPages, PAGES, type Page, pageAddress } from '../../contract/pages.ts';
import { getReview, reviewCalls } from '../../contract/reviews.ts';
import { getSchool } from '../../contract/schools.ts';
import { bytesOf } from '../cache/cached-response.ts';
import { tags } from '../cache/tags.ts';
import type { Tag } from '../database/change-tags.ts';
import type { PublicReads } from '../serve/public-reads.ts';
import { descriptionOf } from './descriptions.ts';
import type { PageSources } from './page-sources.ts';
import {
  describeEntry,
  describeSchool,
  describeTrail,
  type RatingFigures,
  type StructuredData,
} from './structured-data.ts';

const NEWEST_MAX = 5;

/** The data from which a head is written. */
export interface Subject {
  title: string;
  description: string;
  data: readonly StructuredData[];
  /** Tags of the data that it is made from, in addition to those of the page's reads. */
  tags: readonly Tag[];
}

export interface SubjectOptions {
  readonly publicUrl: (path: string) => string;
  /** The mean and number of all reviews of a school. */
  readonly rateSchool: (id: number) => Promise<RatingFigures>;
}

/** Makes the function that describes the subject of a page, from the answers to its reads. */
export function createSubjects(publicReads: PublicReads, { publicUrl, rateSchool }: SubjectOptions) {
  const step = (name: string, page: Page, id?: number) => ({ name, url: publicUrl(pageAddress(page, id)) });
  const schoolSteps = (id: number, name: string) => [
    step(PAGES.allSchools.title, PAGES.allSchools),
    step(name, PAGES.school, id),
  ];

  async function schoolSubject(page: Page, id: number, sources: PageSources): Promise<Subject> {
    const school = sources.answer(getSchool);
    const { schoolName, description, location } = school;
    const trail = schoolSteps(id, schoolName);
    if (page.category) {
      const { label, summary } = page.category;
      return {
        title: `${label} at ${schoolName}`,
        description: `${label} at ${schoolName}, ${location}: ${summary}.`,
        data: [describeTrail([...trail, step(label, page, id)])],
        tags: [],
      };
    }
    const url = publicUrl(pageAddress(PAGES.school, id));
    return {
      title: schoolName,
      description: `${location}. ${description}`,
      data: [describeSchool(school, url, await rateSchool(id)), describeTrail(trail)],
      tags: [tags.reviewsAt(id)],
    };
  }

  async function entrySubject(page: Page, category: Category, id: number, sources: PageSources): Promise<Subject> {
    const { list, averageRating, totalReviews } = reviewCalls(category);
    const entry = sources.answer(entryCalls(category).details);
    const { schoolId } = entry;
    const name = entryName(category, entry);
    // Only for the structured data, which names the school's location. The school's tag is already on the answer about
    // the entry.
    const { plain } = await publicReads.find(getSchool, { params: { id: schoolId } });
    const school: AnswerOf<typeof getSchool> = JSON.parse(bytesOf(plain).toString());
    const data = describeEntry({
      category,
      name,
      description: entry.description,
      url: publicUrl(pageAddress(page, id)),
      school,
      schoolUrl: publicUrl(pageAddress(PAGES.school, schoolId)),
      rating: {
        average: sources.answer(averageRating).averageRating,
        count: sources.answer(totalReviews).totalReviews,
      },
      newest: sources.answer(list).slice(0, NEWEST_MAX),
    });
    const trail = [
      ...schoolSteps(schoolId, school.schoolName),
      step(category.label, categoryPages(category).list, schoolId),
      step(name, page, id),
    ];
    return {
      title: `${name} reviews · ${entry.schoolName}`,
      description: `Student reviews of ${name} at ${entry.schoolName}: ${entry.description}`,
      data: [data, describeTrail(trail)],
      tags: [],
    };
  }

  function reviewSubject(page: Page, id: number, sources: PageSources): Subject {
    const { review, category: kind, entryId, entryName: name, schoolId, schoolName } = sources.answer(getReview);
    const category = CATEGORIES.find((one) => one.kind === kind);
    const steps = category ? [step(name, categoryPages(category).reviews, entryId)] : [];
    return {
      title: `Review of ${name} · ${schoolName}`,
      description: review,
      data: [describeTrail([...schoolSteps(schoolId, schoolName), ...steps, step(page.title, page, id)])],
      tags: [],
    };
  }

  return async function subjectOf(page: Page, id: number | undefined, sources: PageSources): Promise<Subject> {
    if (id === undefined) return { title: page.title, description: descriptionOf(page), data: [], tags: [] };
    if (page.about === 'review') return reviewSubject(page, id, sources);
    return page.about === 'entry' && page.category
      ? entrySubject(page, page.category, id, sources)
      : schoolSubject(page, id, sources);
  };
}
