import { Briefcase, Coffee, Compass, GraduationCap, House, type LucideIcon, Trophy, Users } from 'lucide-react';
import type { Category, CategoryIconName } from '../../contract/categories.ts';

const ICONS: Record<CategoryIconName, LucideIcon> = {
  trophy: Trophy,
  users: Users,
  house: House,
  briefcase: Briefcase,
  coffee: Coffee,
  'graduation-cap': GraduationCap,
  compass: Compass,
};

interface CategoryIconProps {
  category: Category;
  className?: string;
}

/** The icon of a category, in the current text colour. */
export function CategoryIcon({ category, className = 'size-6' }: CategoryIconProps) {
  const Icon = ICONS[category.icon];
  return <Icon aria-hidden="true" className={className} strokeWidth={1.75} />;
}

/** The icon on a tile of the category's soft colour. */
export function CategoryBadge({ category, className = '' }: CategoryIconProps) {
  return (
    <span
      className={`category inline-grid size-11 shrink-0 place-items-center rounded-lg bg-category-soft text-category ${className}`}
      style={{ '--hue': category.hue }}
    >
      <CategoryIcon category={category} />
    </span>
  );
}
