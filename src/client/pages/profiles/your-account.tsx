import { useState } from 'react';
import { DisclosureCard } from '../../components/feedback/disclosure-card.tsx';
import { NameAndEmail } from './name-and-email.tsx';
import { PasswordForm } from './password-form.tsx';
import { Sessions } from './sessions.tsx';

/** Rarely used functions of an account, collapsed by default. */
export function YourAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <DisclosureCard
      summary="Your account"
      className="no-print max-w-prose"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <div className="grid gap-8">
        <NameAndEmail />
        <PasswordForm />
        <Sessions isShown={isOpen} />
      </div>
    </DisclosureCard>
  );
}
