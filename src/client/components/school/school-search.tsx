import { keepPreviousData } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { foldSearch, searchTextOf } from '../../../contract/folding.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { listSchools, SCHOOL_NAME_MAX, type SchoolName } from '../../../contract/schools.ts';
import { problemText } from '../../api.ts';
import { passFocusOn } from '../../navigation.ts';
import { useRead } from '../../page.ts';
import { Button } from '../form/button.tsx';
import { SearchInput } from '../form/fields.tsx';
import { isForInputMethod, keepFocus, useOptionList } from '../form/option-list.ts';
import { PageLink } from '../layout/page-link.tsx';
import { matchedBeginning, SUGGESTIONS_MAX, suggestSchools } from './suggestions.ts';

/** The schools to suggest: all of them, read once, or those that begin with the typed text, read at every letter. */
function useSchools(prefix: string, readsAll: boolean) {
  // No name begins with a longer text, which the server would refuse.
  const parts = readsAll ? {} : { query: { prefix: prefix.slice(0, SCHOOL_NAME_MAX), limit: SUGGESTIONS_MAX } };
  return useRead(listSchools, parts, { enabled: readsAll || prefix !== '', placeholderData: keepPreviousData });
}

interface SchoolSearchProps {
  label?: string;
  placeholder?: string;
  /** For pages whose first purpose is the search. */
  isLarge?: boolean;
  /** Reads the list of all schools, and suggests the first ones before anything is typed. */
  readsAll?: boolean;
  /** The id of a school that must not be suggested. */
  excludedId?: number;
  /** Called with the chosen school. Default: its page is opened. */
  onChoose?: (school: SchoolName) => void;
}

/** Finds a school by the beginning of its name: a combobox with a list of suggestions (WAI-ARIA 1.2). */
export function SchoolSearch({
  label = 'Search for a school',
  placeholder = label,
  isLarge = false,
  readsAll = false,
  excludedId,
  onChoose,
}: SchoolSearchProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const prefix = typed.trimStart();
  const schools = useSchools(prefix, readsAll);
  const suggested = readsAll || prefix ? suggestSchools(schools.data ?? [], prefix) : [];
  const found = suggested.filter((school) => school.id !== excludedId);
  const list = useOptionList(found.length);
  /** The full search for the typed text, which also finds aliases, words within names and names with typos. */
  const fullSearch =
    !onChoose && foldSearch(typed) ? pageAddress(PAGES.allSchools, undefined, { q: searchTextOf(typed) }) : null;

  function choose(school: SchoolName): void {
    list.close();
    setTyped('');
    if (onChoose) onChoose(school);
    else void navigate(pageAddress(PAGES.school, school.id));
  }

  /**
   * Chooses the active suggestion. Without one, Enter opens the full search, even if a single name begins with the
   * typed text, which may be an alias of another school. In a field without a full search it chooses the single one.
   */
  function chooseByEnter(): void {
    const chosen = found[list.active] ?? (onChoose && found.length === 1 ? found[0] : undefined);
    if (list.isOpen && chosen) choose(chosen);
    else if (fullSearch) void navigate(fullSearch);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isForInputMethod(event)) return;
    if (event.key === 'Escape') {
      // The first Escape closes the list, the second clears the text, and a third closes the dialog around it.
      if (typed) event.preventDefault();
      if (list.isOpen) list.close();
      else setTyped('');
    } else if (event.key === 'Enter') {
      chooseByEnter();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      list.step(event.key === 'ArrowDown' ? 1 : -1);
    }
  }

  const size = `relative w-full text-left ${isLarge ? 'max-w-2xl' : 'max-w-xl'}`;
  const content = (
    <>
      <SearchInput
        ref={field}
        name={onChoose ? undefined : 'q'}
        isLarge={isLarge}
        // `type="search"` would be wrong: ARIA in HTML allows no role but searchbox on it.
        type="text"
        {...list.field}
        aria-label={label}
        spellCheck={false}
        enterKeyHint="search"
        placeholder={placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          list.activateNone();
          list.open();
        }}
        onFocus={list.open}
        onKeyDown={onKeyDown}
      />
      {/* No list and no message before something was typed, unless all schools are read. */}
      {list.isOpen && (readsAll || prefix !== '') && (
        <div
          {...list.box}
          className="absolute inset-x-0 top-full z-20 mt-2 overflow-hidden rounded-lg border border-line bg-surface text-ink shadow-lg"
        >
          <Suggestions list={list} found={found} schools={schools.data ?? []} typed={prefix} onChoose={choose} />
          <ListState schools={schools} hasFound={found.length > 0} field={field} />
          {fullSearch && (
            <PageLink
              to={fullSearch}
              onMouseDown={keepFocus}
              className="text-link flex min-h-touch items-center border-line px-5 py-2 font-semibold wrap-anywhere not-first:border-t"
            >
              <span>
                Search all schools for “<bdi>{searchTextOf(typed)}</bdi>”
              </span>
            </PageLink>
          )}
        </div>
      )}
    </>
  );
  if (onChoose) return <div className={`needs-script ${size}`}>{content}</div>;
  return (
    <form
      method="get"
      action={PAGES.allSchools.path}
      className={size}
      // Enter is handled at the field, where it may choose a suggestion.
      onSubmit={(event) => event.preventDefault()}
    >
      {content}
      <Button type="submit" className="without-script mt-3">
        Search
      </Button>
    </form>
  );
}

interface SuggestionsProps {
  list: ReturnType<typeof useOptionList>;
  found: readonly SchoolName[];
  /** All schools that were read. */
  schools: readonly SchoolName[];
  /** The typed beginning of the names, which is highlighted. */
  typed: string;
  onChoose: (school: SchoolName) => void;
}

/**
 * The suggested schools, each with its country if another one has the same name. The field keeps the focus and handles
 * the keys.
 */
function Suggestions({ list, found, schools, typed, onChoose }: SuggestionsProps) {
  const isAmbiguous = ({ id, schoolName }: SchoolName) =>
    schools.some((other) => other.id !== id && other.schoolName === schoolName);
  return (
    <div id={list.listId} role="listbox" aria-label="Schools" className={found.length > 0 ? 'py-2' : 'hidden'}>
      {found.map((school, index) => {
        const matched = matchedBeginning(school.schoolName, typed);
        return (
          <button key={school.id} {...list.option(index)} onClick={() => onChoose(school)}>
            <span dir="auto" className="min-w-0 wrap-anywhere">
              <b className="font-semibold text-brand">{matched}</b>
              <span>{school.schoolName.slice(matched.length)}</span>
            </span>
            {isAmbiguous(school) && <bdi className="min-w-0 text-sm wrap-anywhere text-ink-soft">{school.country}</bdi>}
          </button>
        );
      })}
    </div>
  );
}

interface ListStateProps {
  schools: ReturnType<typeof useSchools>;
  hasFound: boolean;
  field: RefObject<HTMLInputElement | null>;
}

/** The message shown instead of suggestions. */
function ListState({ schools, hasFound, field }: ListStateProps) {
  return (
    <div aria-live="polite">
      {schools.isPending && <p className="px-5 py-3 text-ink-soft">Loading schools...</p>}
      {schools.data && !schools.isPlaceholderData && !hasFound && (
        <p className="px-5 py-3 text-ink-soft">No schools found</p>
      )}
      {schools.isError && !schools.data && (
        <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
          <p>
            The schools could not be loaded. <span className="text-ink-soft">{problemText(schools.error)}</span>
          </p>
          <Button
            variant="quiet"
            ref={(retry) => passFocusOn(retry, () => field.current)}
            onMouseDown={keepFocus}
            onClick={() => void schools.refetch()}
          >
            Retry
          </Button>
        </div>
      )}
    </div>
  );
}
