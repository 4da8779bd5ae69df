import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { listSchools, type SchoolName } from '../../../contract/schools.ts';
import { callQuery } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { suggestSchools } from './suggestions.ts';

/** The list stays so long after the field is left, so that a click on it arrives (spec §2). */
const CLOSES_AFTER_MS = 200;

/** The name with the part that was typed set off. */
function Suggestion({ name, typed }: { name: string; typed: string }) {
  return (
    <>
      <b className="font-semibold text-brand">{name.slice(0, typed.length)}</b>
      {name.slice(typed.length)}
    </>
  );
}

/** Finds a school by the beginning of its name: a combobox with a list of suggestions (WAI-ARIA 1.2). */
export function SchoolSearch() {
  const navigate = useNavigate();
  const schools = useQuery(callQuery(listSchools));
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  useEffect(() => () => clearTimeout(closing.current), []);

  const prefix = typed.trimStart();
  const found = schools.data ? suggestSchools(schools.data, prefix) : [];

  function open(): void {
    clearTimeout(closing.current);
    setOpen(true);
  }

  function choose(school: SchoolName): void {
    setOpen(false);
    void navigate(pageAddress(PAGES.school, school.id));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      // First the list, then what was typed.
      if (isOpen) setOpen(false);
      else setTyped('');
      return;
    }
    if (event.key === 'Enter') {
      const chosen = found[active] ?? (found.length === 1 ? found[0] : undefined);
      if (isOpen && chosen) choose(chosen);
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    open();
    const step = event.key === 'ArrowDown' ? 1 : -1;
    // One place beyond either end is the field itself.
    setActive((before) => ((before + step + 1 + found.length + 1) % (found.length + 1)) - 1);
  }

  const optionId = (index: number) => `${id}-option-${index}`;
  const isListed = isOpen && found.length > 0;
  return (
    <div className="needs-script scheme-light relative w-full max-w-2xl text-left">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-5 size-6 -translate-y-1/2 text-ink-soft"
      />
      <input
        // Not "search": ARIA in HTML allows no role but searchbox there.
        type="text"
        role="combobox"
        aria-label="Search for a school"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? `${id}-list` : undefined}
        aria-activedescendant={isListed && active >= 0 ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        placeholder="Type the name of a school"
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
        className="input min-h-16 rounded-lg pl-14 text-lg shadow-lg"
      />
      {isOpen && (
        <div className="absolute inset-x-0 top-full z-20 mt-2 overflow-hidden rounded-lg border border-line bg-surface text-ink shadow-lg">
          <div id={`${id}-list`} role="listbox" aria-label="Schools" className={isListed ? 'py-2' : 'hidden'}>
            {found.map((school, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field, which keeps the focus.
              <div
                key={school.id}
                id={optionId(index)}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(school)}
                className={`flex min-h-touch cursor-pointer items-center px-5 py-2 ${index === active ? 'bg-brand-soft' : 'hover:bg-sunken'}`}
              >
                <span>
                  <Suggestion name={school.schoolName} typed={prefix} />
                </span>
              </div>
            ))}
          </div>
          <div aria-live="polite">
            {schools.isPending && <p className="px-5 py-3 text-ink-soft">Loading schools...</p>}
            {schools.data && found.length === 0 && <p className="px-5 py-3 text-ink-soft">No schools found</p>}
            {schools.isError && !schools.data && (
              <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
                <p>The schools could not be loaded.</p>
                <Button variant="quiet" onClick={() => void schools.refetch()}>
                  Retry
                </Button>
              </div>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
