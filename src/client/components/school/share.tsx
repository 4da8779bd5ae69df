import { useRef, useState } from 'react';
import { notify } from '../../notices.ts';
import { usePageId } from '../../page.ts';
import { siteName } from '../../site.ts';
import { Dialog } from '../feedback/dialog.tsx';
import { Button } from '../form/button.tsx';
import { Checkbox, TextArea } from '../form/fields.tsx';

interface ShareProps {
  kind: 'school' | 'entry';
  /** Undefined while loading. */
  name: string | undefined;
}

/** Offers what other sites can show of this school or entry: a badge with its figure, and the feed of its reviews. */
export function Share(subject: ShareProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        className="no-print needs-script justify-self-start px-3 sm:px-5"
        onClick={() => setOpen(true)}
      >
        Share
      </Button>
      {isOpen && <ShareDialog {...subject} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The size of a badge in CSS pixels. */
const BADGE_SIZE = { width: 320, height: 56 };

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

function ShareDialog({ kind, name = '', onClose }: ShareProps & { onClose: () => void }) {
  const id = usePageId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isDark, setDark] = useState(false);
  const badge = `/badges/${kind}/${id}.svg${isDark ? '?style=dark' : ''}`;
  const words = `Reviews of ${name} on ${siteName()}`;
  const { width, height } = BADGE_SIZE;
  const html = `<a href="${location.origin}${location.pathname}"><img src="${location.origin}${badge}" width="${width}" height="${height}" alt="${escapeHtml(words)}"></a>`;

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(html);
      notify.success('HTML copied.');
      dialog.current?.close();
    } catch (cause) {
      // Some browsers forbid copying: the text is then selected, so that the user can copy it with the keyboard.
      console.info('The HTML could not be copied.', cause);
      dialog.current?.querySelector('textarea')?.select();
    }
  }

  return (
    <Dialog ref={dialog} title="Share" onClose={onClose}>
      <div className="grid gap-4">
        <p>A badge for another page. Its figure follows the reviews.</p>
        <img src={badge} alt={words} {...BADGE_SIZE} className="max-w-full" />
        <Checkbox label="For a dark page" checked={isDark} onChange={() => setDark(!isDark)} />
        <TextArea
          label="HTML"
          name="html"
          readOnly
          spellCheck={false}
          rows={4}
          value={html}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <p>
          <a href={`/feeds/${kind}/${id}.atom`} className="text-link inline-flex min-h-touch items-center">
            Feed of new reviews
          </a>
        </p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => void copy()}>Copy HTML</Button>
          <Button variant="quiet" onClick={() => dialog.current?.close()}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
