import { useState } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import {
  csvOfNumbers,
  type DayNumbers,
  getSiteNumbers,
  NUMBER_COLUMNS,
  NUMBER_LABELS,
  NUMBERS_DAYS,
} from '../../../contract/site-numbers.ts';
import { Button } from '../../components/form/button.tsx';
import { Select } from '../../components/form/fields.tsx';
import { QueryList, ScrollRegion } from '../../components/list/list-states.tsx';
import { numberText } from '../../format.ts';
import { useRead } from '../../page.ts';
import { saveFile } from '../../save-file.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';

const PERIODS = [7, NUMBERS_DAYS.usual, 90, NUMBERS_DAYS.max];

type Column = (typeof NUMBER_COLUMNS)[number];

/** The statistics of the site by day: a small chart for each number, and all of them in a table. */
export function Component() {
  const [days, setDays] = useState(NUMBERS_DAYS.usual);
  const query = useRead(getSiteNumbers, { query: { days } });
  return (
    <AdminPage
      heading={PAGES.numbers.title}
      subtitle="Days are in UTC. What was taken back or deleted since is counted."
    >
      <div className="no-print flex flex-wrap items-end gap-3">
        <Select
          label="Period"
          name="days"
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
          options={PERIODS.map((period) => [period, `${period} days`])}
        />
        {query.data && (
          <Button variant="quiet" onClick={() => download(query.data)}>
            Download CSV
          </Button>
        )}
      </div>
      <QueryList
        query={query}
        loading="Loading numbers..."
        empty="No numbers."
        failed="The numbers could not be loaded."
      >
        {(rows) => (
          <>
            <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {NUMBER_COLUMNS.map((column) => (
                <Chart key={column} column={column} rows={rows} />
              ))}
            </div>
            <NumbersTable rows={rows} />
          </>
        )}
      </QueryList>
    </AdminPage>
  );
}

const download = (rows: readonly DayNumbers[]) =>
  saveFile(`numbers-${rows.at(-1)?.day}.csv`, csvOfNumbers(rows), 'text/csv');

const CHART_HEIGHT = 72;
const BAR_SHARE = 0.7;

/** The bar chart of one number: a bar for each day, and the total or the latest value. The table has the figures. */
function Chart({ column, rows }: { column: Column; rows: readonly DayNumbers[] }) {
  const values = rows.map((row) => row[column]);
  const highest = Math.max(1, ...values);
  const isLevel = column === 'schoolsWithReviews';
  const figure = isLevel ? (values.at(-1) ?? 0) : values.reduce((sum, value) => sum + value, 0);
  const label = `${NUMBER_LABELS[column]}: ${numberText(figure)} ${isLevel ? 'today' : 'in all'}, at most ${numberText(Math.max(...values))} a day`;
  return (
    <figure className="card p-4">
      <figcaption className="flex items-baseline justify-between gap-3">
        <span>{NUMBER_LABELS[column]}</span>
        <b className="font-serif text-xl tabular-nums">{numberText(figure)}</b>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${rows.length} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        width="100%"
        height={CHART_HEIGHT}
        className="mt-3 block border-b border-line-strong"
      >
        {rows.map(({ day }, index) => {
          const height = ((values[index] ?? 0) / highest) * CHART_HEIGHT;
          return (
            <rect
              key={day}
              x={index + (1 - BAR_SHARE) / 2}
              y={CHART_HEIGHT - height}
              width={BAR_SHARE}
              height={height}
              className="fill-brand"
            >
              <title>{`${day}: ${values[index]}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="mt-1 flex justify-between text-sm text-ink-soft tabular-nums" aria-hidden="true">
        <span>{rows[0]?.day}</span>
        <span>{rows.at(-1)?.day}</span>
      </p>
    </figure>
  );
}

/** Newest day first, because it is asked for most. */
function NumbersTable({ rows }: { rows: readonly DayNumbers[] }) {
  return (
    <ScrollRegion aria-label="Numbers by day" className="max-h-[32rem] overflow-auto rounded-lg border border-line">
      <table className="w-full border-separate border-spacing-0">
        <thead>
          <tr>
            {['Day', ...NUMBER_COLUMNS.map((column) => NUMBER_LABELS[column])].map((head) => (
              <th
                key={head}
                scope="col"
                className={`sticky top-0 border-b border-line bg-sunken px-3 py-2 text-sm font-semibold ${head === 'Day' ? 'text-left' : 'text-right'}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.day}>
              <th scope="row" className="border-b border-line px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {row.day}
              </th>
              {NUMBER_COLUMNS.map((column) => (
                <td key={column} className="border-b border-line px-3 py-1.5 text-right tabular-nums">
                  {numberText(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
