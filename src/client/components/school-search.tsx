import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { foldSearch } from '../../contract/folding.ts';
import { PAGES, pageAddress } from '../../contract/pages.ts';
import { listSchools, type SchoolName } from '../../contract/schools.ts';
import { callQuery, problemText } from '../api.ts';
import { Button } from './button.tsx';
import { PageLink } from './page-link.tsx';
import { SUGGESTIONS_MAX, suggestSchools } from './suggestions.ts';

/**
 * The list closes this many milliseconds after the field lost the focus, so that a click on it still counts (spec §2).
 */
const CLOSES_AFTER_MS = 200;

/** The schools to suggest: all of them, read once, or with every letter only those that begin with what was typed. */
function useSchools(prefix: string, asksWhileTyping: boolean) {
  const parts = asksWhileTyping ? { query: { prefix, limit: SUGGESTIONS_MAX } } : {};
  return useQuery({
    ...callQuery(listSchools, parts),
    enabled: !asksWhileTyping || prefix !== '',
    placeholderData: keepPreviousData,
  });
}

interface SchoolSearchProps {
  label?: string;
  placeholder?: string;
  /** For the dashboard only: it reads the list of all schools. */
  isLarge?: boolean;
  /** The id of a school that must not be suggested. */
  leavesOut?: number;
  /** Called with the chosen school. Default: its page is opened. */
  onChoose?: (school: SchoolName) => void;
}

/** Finds a school by the beginning of its name: a combobox with a list of suggestions (WAI-ARIA 1.2). */
export function SchoolSearch({
  label = 'Search for a school',
  placeholder = label,
  isLarge = false,
  leavesOut,
  onChoose,
}: SchoolSearchProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  useEffect(() => () => clearTimeout(closing.current), []);

  const prefix = typed.trimStart();
  const schools = useSchools(prefix, !isLarge);
  const known = schools.data ?? [];
  const suggested = isLarge || prefix ? suggestSchools(known, prefix) : [];
  const found = suggested.filter((school) => school.id !== leavesOut);

  function open(): void {
    clearTimeout(closing.current);
    setOpen(true);
  }

  function choose(school: SchoolName): void {
    setOpen(false);
    setTyped('');
    if (onChoose) onChoose(school);
    else void navigate(pageAddress(PAGES.school, school.id));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      // The first Escape closes the list, the second clears the text, and a third closes the dialog around it.
      if (typed) event.preventDefault();
      if (isOpen) setOpen(false);
      else setTyped('');
      return;
    }
    if (event.key === 'Enter') {
      const chosen = found[active] ?? (!isLarge && found.length === 1 ? found[0] : undefined);
      if (isOpen && chosen) choose(chosen);
      else if (allFound) void navigate(allFound);
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    open();
    const step = event.key === 'ArrowDown' ? 1 : -1;
    // The arrow keys go through the field (-1) and the suggestions, and around both ends.
    setActive((before) => ((before + step + 1 + found.length + 1) % (found.length + 1)) - 1);
  }

  /** The full search for the typed text, which also finds aliases, words within names and names with typos. */
  const allFound =
    !onChoose && foldSearch(typed) ? pageAddress(PAGES.allSchools, undefined, { q: typed.trim() }) : null;

  const optionId = (index: number) => `${id}-option-${index}`;
  const isListed = isOpen && found.length > 0;
  return (
    <div className={`needs-script relative w-full text-left ${isLarge ? 'scheme-light max-w-2xl' : 'max-w-xl'}`}>
      <Search
        aria-hidden="true"
        className={`pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-soft ${isLarge ? 'left-5 size-6' : 'left-3.5 size-5'}`}
      />
      <input
        // `type="search"` would be wrong: ARIA in HTML allows no role but searchbox on it.
        type="text"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? `${id}-list` : undefined}
        aria-activedescendant={isListed && active >= 0 ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        placeholder={placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(-1);
          open();
        }}
        onFocus={open}
        onBlur={() => {
          closing.current = setTimeout(() => setOpen(false), CLOSES_AFTER_MS);
        }}
        onKeyDown={onKeyDown}
        className={isLarge ? 'input min-h-18 rounded-lg pl-14 text-lg shadow-lg' : 'input pl-11'}
      />
      {/* No list and no message before something was typed, except on the dashboard. */}
      {isOpen && (isLarge || prefix !== '') && (
        <div className="absolute inset-x-0 top-full z-20 mt-2 overflow-hidden rounded-lg border border-line bg-surface text-ink shadow-lg">
          <div id={`${id}-list`} role="listbox" aria-label="Schools" className={isListed ? 'py-2' : 'hidden'}>
            {found.map((school, index) => (
              <Suggestion
                key={school.id}
                id={optionId(index)}
                school={school}
                typed={prefix}
                isActive={index === active}
                hasTwin={known.filter(({ schoolName }) => schoolName === school.schoolName).length > 1}
                onChoose={() => choose(school)}
              />
            ))}
          </div>
          {allFound && <WayToAll to={allFound} typed={typed.trim()} />}
          <ListState schools={schools} hasFound={found.length > 0} />
        </div>
      )}
    </div>
  );
}

interface SuggestionProps {
  id: string;
  school: SchoolName;
  /** The typed beginning of the name, which is highlighted. */
  typed: string;
  isActive: boolean;
  /** Whether another school has the same name. */
  hasTwin: boolean;
  onChoose: () => void;
}

/**
 * A suggested school: its name with the typed part highlighted, and its country if another school has the same name.
 */
function Suggestion({ id, school: { schoolName, country }, typed, isActive, hasTwin, onChoose }: SuggestionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys, because it keeps the focus.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onMouseDown={keepFocus}
      onClick={onChoose}
      className={`flex min-h-touch cursor-pointer flex-wrap items-center gap-x-3 px-5 py-2 ${isActive ? 'bg-brand-soft' : 'hover:bg-sunken'}`}
    >
      <span dir="auto" className="min-w-0 wrap-anywhere">
        <b className="font-semibold text-brand">{schoolName.slice(0, typed.length)}</b>
        {schoolName.slice(typed.length)}
      </span>
      {hasTwin && <bdi className="min-w-0 text-sm wrap-anywhere text-ink-soft">{country}</bdi>}
    </div>
  );
}

/** Without this the field would lose the focus and the list would close before the click. */
const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault();

/** The link to the full search, which also finds aliases, words within names and names with typos. */
function WayToAll({ to, typed }: { to: string; typed: string }) {
  return (
    <PageLink
      to={to}
      onMouseDown={keepFocus}
      className="text-link flex min-h-touch items-center border-line px-5 py-2 font-semibold wrap-anywhere not-first:border-t"
    >
      <span>
        Search all schools for “<bdi>{typed}</bdi>”
      </span>
    </PageLink>
  );
}

/** The message shown instead of suggestions. */
function ListState({ schools, hasFound }: { schools: ReturnType<typeof useSchools>; hasFound: boolean }) {
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
          <Button variant="quiet" onClick={() => void schools.refetch()}>
            Retry
          </Button>
        </div>
      )}
    </div>
  );
}
