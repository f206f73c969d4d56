//! The report as a page that needs nothing but itself: style, plots and a few lines of script are inside.
//!
//! It follows the reader's colours, light or dark. What matters most stands first: the score, then every wrong
//! answer with its command, then what has changed, then plots and tables, and all tasks at the end.

mod plot;

use std::fmt::Write;

use crate::compare::{Change, Compared, Comparison, FLOOR, Pair};
use crate::html::plot::{Curve, Measure};
use crate::judge::Judgement;
use crate::progress::span;
use crate::record::Record;
use crate::report::Report;
use crate::summary::Counts;
use crate::task::Expected;
use crate::text::{named, plural};

/// The page.
pub fn render(report: &Report<'_>) -> String {
    let mut page = String::from("<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>");
    page.push_str("<meta name='viewport' content='width=device-width, initial-scale=1'>");
    let total = &report.summary.total;
    let _ = write!(
        page,
        "<title>Selkie bench: {} of {}</title><style>\n{}</style></head><body><main>",
        total.score,
        total.max_score,
        include_str!("html/style.css")
    );
    heading(&mut page, report);
    cards(&mut page, report);
    wrong_answers(&mut page, report);
    if let Some(comparison) = &report.comparison {
        changes(&mut page, comparison);
    }
    plots(&mut page, report);
    if let Some(comparison) = &report.comparison {
        speed(&mut page, comparison);
    }
    groups(&mut page, report);
    details(&mut page, report);
    tasks(&mut page, &report.records);
    let _ = write!(
        page,
        "</main><script>\n{}</script></body></html>\n",
        include_str!("html/table.js")
    );
    page
}

/// Text that cannot be taken for markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

fn heading(page: &mut String, report: &Report<'_>) {
    let options = report.options;
    let lists: Vec<String> = options
        .lists
        .iter()
        .map(|list| list.display().to_string())
        .collect();
    let mut meta = vec![
        escape(&lists.join(", ")),
        format!(
            "{} s and {} MB for each task",
            options.timeout, options.memory_limit
        ),
        format!("{} at a time", options.jobs),
        format!("took {}", span(report.elapsed.as_secs_f64())),
        escape(&report.machine.to_string()),
    ];
    if !options.filter.is_empty() {
        let filter = escape(&options.filter.join(" and "));
        meta.insert(1, format!("where <code>{filter}</code>"));
    }
    if !options.verify_options.is_empty() {
        let given = escape(&options.verify_options.join(" "));
        meta.push(format!("<code>{given}</code>"));
    }
    let _ = write!(
        page,
        "<h1>Selkie bench</h1><p class='meta'>{}</p>",
        meta.join(" · ")
    );
}

fn cards(page: &mut String, report: &Report<'_>) {
    let total = &report.summary.total;
    let unfinished = match report.planned - total.tasks {
        0 => String::new(),
        missing => format!(", {missing} more not run"),
    };
    let alarm = if total.wrong() > 0 { " alarm" } else { "" };
    let _ = write!(
        page,
        "<div class='cards'><div class='card'><b>{}</b><span>of {} points, {} tasks{unfinished}</span>{}</div>\
         <div class='card right'><b>{}</b><span>right: {} true, {} false</span></div>\
         <div class='card wrong{alarm}'><b>{}</b><span>wrong: {} true, {} false</span></div>\
         <div class='card'><b>{}</b><span>unknown</span></div></div>",
        total.score,
        total.max_score,
        total.tasks,
        bar(total),
        total.right(),
        total.right_true,
        total.right_false,
        total.wrong(),
        total.wrong_true,
        total.wrong_false,
        total.unknown
    );
}

/// Right, wrong and unknown as shares of a bar.
fn bar(counts: &Counts) -> String {
    let mut bar = String::from("<div class='bar'>");
    for (class, number) in [
        ("right", counts.right()),
        ("wrong", counts.wrong()),
        ("unknown", counts.unknown),
    ] {
        if number > 0 {
            let share = 100.0 * number as f64 / counts.tasks as f64;
            let _ = write!(
                bar,
                "<i class='{class}' style='width:{share:.2}%' title='{number} {class}'></i>"
            );
        }
    }
    bar + "</div>"
}

fn wrong_answers(page: &mut String, report: &Report<'_>) {
    if report.summary.total.wrong() == 0 {
        return;
    }
    page.push_str("<h2>Wrong answers</h2><div class='panel alarm-list'>");
    for (record, command) in report.records.iter().zip(&report.commands) {
        if record.judgement == Judgement::Wrong {
            let engine = match record.engine.as_str() {
                "" => String::new(),
                engine => format!(" by {}", escape(engine)),
            };
            let _ = write!(
                page,
                "<p><b>{}</b>: {} is {}, answered <span class='bad'>{}</span>{engine} after {}</p><code>{}</code>",
                escape(&record.id),
                escape(&record.property),
                record.expected,
                escape(&record.verdict.to_string()),
                span(record.measured.wall_s),
                escape(command)
            );
        }
    }
    page.push_str("</div>");
}

fn changes(page: &mut String, comparison: &Comparison) {
    let _ = write!(page, "<h2>Against {}</h2>", escape(&comparison.with));
    for (number, what) in [
        (comparison.not_in_old, "not in the old table"),
        (comparison.not_in_new, "in the old table only"),
    ] {
        if number > 0 {
            let _ = write!(
                page,
                "<p class='dim'>{number} {} {what}</p>",
                plural(number, "task")
            );
        }
    }
    page.push_str("<div class='changes'>");
    for (title, class, list) in [
        ("newly wrong", "bad", &comparison.newly_wrong),
        ("lost", "", &comparison.lost),
        ("newly solved", "good", &comparison.newly_solved),
    ] {
        change_list(page, title, class, list);
    }
    if !comparison.no_longer_wrong.is_empty() {
        change_list(page, "no longer wrong", "good", &comparison.no_longer_wrong);
    }
    page.push_str("</div>");
}

fn change_list(page: &mut String, title: &str, class: &str, changes: &[Change]) {
    let _ = write!(
        page,
        "<div class='panel'><h3>{title}: {}</h3>",
        changes.len()
    );
    if !changes.is_empty() {
        page.push_str("<ul>");
        for change in changes {
            let _ = write!(
                page,
                "<li>{} <span class='dim'>{} →</span> <span class='{class}'>{}</span></li>",
                escape(&change.id),
                escape(&change.old),
                escape(&change.new)
            );
        }
        page.push_str("</ul>");
    }
    page.push_str("</div>");
}

fn plots(page: &mut String, report: &Report<'_>) {
    let times = Measure {
        title: "Time",
        unit: "seconds",
        floor: FLOOR,
        limit: report.options.timeout,
    };
    let right = |records: &mut dyn Iterator<Item = &Record>, value: &dyn Fn(&Record) -> f64| {
        let right = records.filter(|record| record.judgement == Judgement::Right);
        right.map(value).collect::<Vec<f64>>()
    };
    page.push_str("<h2>Plots</h2><div class='two'><div class='panel'>");
    if let Some(comparison) = &report.comparison {
        let side = |pick: &dyn Fn(&Pair) -> (Judgement, f64)| {
            let answers = comparison.pairs.iter().map(pick);
            let right = answers.filter(|(judgement, _)| *judgement == Judgement::Right);
            right.map(|(_, seconds)| seconds).collect::<Vec<f64>>()
        };
        let curves = [
            Curve {
                name: "new",
                class: "new",
                values: side(&|pair| pair.new),
            },
            Curve {
                name: "old",
                class: "old",
                values: side(&|pair| pair.old),
            },
        ];
        page.push_str(&plot::cactus(&times, &curves));
        page.push_str("</div><div class='panel'>");
        page.push_str(&plot::scatter(&comparison.pairs, FLOOR));
        page.push_str(
            "<p class='legend'><span class='dot' style='background:var(--new)'></span>both right\
             <span class='dot right'></span>newly solved\
             <span class='dot' style='background:var(--old)'></span>lost\
             <span class='dot wrong'></span>wrong now or before; unknown beyond the dashed lines</p>",
        );
    } else {
        let by_verdict = |value: &dyn Fn(&Record) -> f64| {
            [("true", Expected::True), ("false", Expected::False)].map(|(name, expected)| {
                let mut records = report.records.iter().filter(|r| r.expected == expected);
                Curve {
                    name,
                    class: name,
                    values: right(&mut records, value),
                }
            })
        };
        let memory = Measure {
            title: "Memory",
            unit: "megabytes",
            floor: 1.0,
            limit: report.options.memory_limit as f64,
        };
        let curves = by_verdict(&|record| record.measured.wall_s);
        page.push_str(&plot::cactus(&times, &curves));
        page.push_str("</div><div class='panel'>");
        let curves = by_verdict(&|record| record.measured.memory_mb);
        page.push_str(&plot::cactus(&memory, &curves));
    }
    page.push_str("</div></div>");
}

fn speed(page: &mut String, comparison: &Comparison) {
    page.push_str(
        "<h2>Speed by category</h2><p class='dim'>On the tasks that both answered right: the geometric mean of new \
         over old time. Below one is faster.</p><div class='panel wide'><table><thead><tr><th class='l'>category</th>\
         <th>solved</th><th>lost</th><th>newly wrong</th><th>both</th><th>old wall</th><th>new wall</th>\
         <th>wall ratio</th><th>cpu ratio</th></tr></thead><tbody>",
    );
    for group in &comparison.categories {
        speed_row(page, "", group);
    }
    speed_row(page, "total", &comparison.total);
    page.push_str("</tbody></table></div>");
}

fn speed_row(page: &mut String, class: &str, group: &Compared) {
    let ratio = |ratio: Option<f64>| match ratio {
        None => "<td class='dim'>–</td>".to_owned(),
        Some(ratio) if ratio < 0.95 => format!("<td class='good'>{ratio:.2}</td>"),
        Some(ratio) if ratio > 1.05 => format!("<td class='bad'>{ratio:.2}</td>"),
        Some(ratio) => format!("<td>{ratio:.2}</td>"),
    };
    let wrong = if group.newly_wrong > 0 { "bad" } else { "" };
    let _ = write!(
        page,
        "<tr class='{class}'><td class='l wrap'>{}</td><td>{}</td><td>{}</td><td class='{wrong}'>{}</td><td>{}</td>\
         <td>{}</td><td>{}</td>{}{}</tr>",
        escape(named(&group.name)),
        group.newly_solved,
        group.lost,
        group.newly_wrong,
        group.both,
        span(group.old_wall_s),
        span(group.new_wall_s),
        ratio(group.wall_ratio),
        ratio(group.cpu_ratio)
    );
}

fn groups(page: &mut String, report: &Report<'_>) {
    page.push_str(
        "<h2>Results</h2><div class='panel wide'><table><thead><tr><th class='l'></th><th>tasks</th><th></th><th>right</th>\
         <th>true</th><th>false</th><th>wrong</th><th>unknown</th><th>score</th><th>of</th><th>wall</th><th>cpu</th></tr></thead><tbody>",
    );
    let summary = &report.summary;
    for (title, groups) in [
        ("suite", &summary.suites),
        ("category", &summary.categories),
        ("property", &summary.properties),
    ] {
        let _ = write!(
            page,
            "<tr class='section'><td colspan='12'>{title}</td></tr>"
        );
        for group in groups {
            counts_row(page, "", named(&group.name), &group.counts);
        }
    }
    page.push_str("<tr class='section'><td colspan='12'></td></tr>");
    counts_row(page, "total", "all", &summary.total);
    page.push_str("</tbody></table></div>");
}

fn counts_row(page: &mut String, class: &str, name: &str, counts: &Counts) {
    let wrong = if counts.wrong() > 0 { "bad" } else { "dim" };
    let _ = write!(
        page,
        "<tr class='{class}'><td class='l wrap'>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
         <td class='{wrong}'>{}</td><td>{}</td><td>{}</td><td class='dim'>{}</td><td>{}</td><td>{}</td></tr>",
        escape(name),
        counts.tasks,
        bar(counts),
        counts.right(),
        counts.right_true,
        counts.right_false,
        counts.wrong(),
        counts.unknown,
        counts.score,
        counts.max_score,
        span(counts.wall_s),
        span(counts.cpu_s)
    );
}

/// Why answers are unknown, who gave the right ones, and where the time went.
fn details(page: &mut String, report: &Report<'_>) {
    let summary = &report.summary;
    page.push_str("<h2>Why, who, where</h2><div class='two'>");
    let reasons = summary.reasons.iter().map(|reason| {
        let example = reason.example.as_ref();
        let example = example.map(|(id, message)| format!("{id}: {message}"));
        (
            reason.name.as_str(),
            reason.tasks,
            example.unwrap_or_default(),
        )
    });
    let engines = summary.engines.iter();
    let engines = engines.map(|(name, number)| (name.as_str(), *number, String::new()));
    for (title, counted) in [
        ("unknown, by reason", reasons.collect::<Vec<_>>()),
        ("right, by engine", engines.collect()),
    ] {
        let most = counted
            .iter()
            .map(|(_, number, _)| *number)
            .max()
            .unwrap_or(1) as f64;
        let _ = write!(page, "<div class='panel'><h3>{title}</h3><table><tbody>");
        for (name, number, example) in &counted {
            let share = 100.0 * *number as f64 / most;
            let _ = write!(
                page,
                "<tr><td class='l wrap'>{}<div class='dim small'>{}</div></td><td>{number}</td><td style='width:35%'><div class='bar'>\
                 <i style='width:{share:.1}%;background:var(--new)'></i></div></td></tr>",
                escape(named(name)),
                escape(example)
            );
        }
        if counted.is_empty() {
            page.push_str("<tr><td class='l dim'>nothing to say</td></tr>");
        }
        page.push_str("</tbody></table></div>");
    }
    page.push_str("</div>");
    let total: f64 = summary.stages.iter().map(|(_, seconds)| seconds).sum();
    if total > 0.0 {
        page.push_str(
            "<div class='panel' style='margin-top:14px'><h3>time by stage</h3><div class='stages'>",
        );
        let colour = |index: usize| format!("hsl({} 48% 52%)", (205 + index * 47) % 360);
        for (index, (name, seconds)) in summary.stages.iter().enumerate() {
            let share = 100.0 * seconds / total;
            let (name, colour) = (escape(name), colour(index));
            let _ = write!(
                page,
                "<i style='width:{share:.2}%;background:{colour}' title='{name}'></i>"
            );
        }
        page.push_str("</div><p class='legend'>");
        for (index, (name, seconds)) in summary.stages.iter().enumerate() {
            let (name, colour) = (escape(name), colour(index));
            let share = 100.0 * seconds / total;
            let _ = write!(
                page,
                "<span class='dot' style='background:{colour}'></span>{name} {} ({share:.0} %)",
                span(*seconds)
            );
        }
        page.push_str("</p></div>");
    }
}

fn tasks(page: &mut String, records: &[Record]) {
    page.push_str(
        "<h2>Tasks</h2><input type='search' id='search' placeholder='Show rows that contain …' aria-label='Show rows that contain'>\
         <div class='panel scroll'><table id='tasks'><thead><tr><th class='l'>task</th><th class='l'>category</th>\
         <th class='l'>property</th><th class='l'>expected</th><th class='l'>answer</th><th class='l'>engine</th>\
         <th>wall s</th><th>cpu s</th><th>MB</th></tr></thead><tbody>",
    );
    for record in records {
        let measured = &record.measured;
        let note = match (record.reason.as_str(), record.message.as_str()) {
            (reason, "") => reason.to_owned(),
            (reason, message) => format!("{reason}: {message}"),
        };
        let _ = write!(
            page,
            "<tr><td class='l wrap'><span class='dot {0}' title='{0}'></span>{1}</td><td class='l wrap dim'>{2}</td>\
             <td class='l'>{3}</td><td class='l'>{4}</td><td class='l wrap{5}' title='{6}'>{7}</td><td class='l'>{8}</td>\
             <td data-n='{9:.4}'>{9:.2}</td><td data-n='{10:.4}'>{10:.2}</td><td data-n='{11:.1}'>{11:.0}</td></tr>",
            record.judgement,
            escape(&record.id),
            escape(named(&record.category)),
            escape(&record.property),
            record.expected,
            if record.judgement == Judgement::Wrong {
                " bad"
            } else {
                ""
            },
            escape(&note),
            escape(&record.verdict.to_string()),
            escape(&record.engine),
            measured.wall_s,
            measured.cpu_s,
            measured.memory_mb
        );
    }
    page.push_str("</tbody></table></div>");
}
