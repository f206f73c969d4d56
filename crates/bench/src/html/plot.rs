//! Plots as SVG: many times at a glance, and two runs against each other.
//!
//! Both have logarithmic axes of seconds. A *cactus* sorts the times of the tasks that were answered right: a curve that goes
//! further to the right solves more, a lower one is faster. A *scatter* has a point for each task, old time to the
//! right and new time upwards: below the diagonal is faster now.

use std::fmt::Write;

use crate::compare::Pair;
use crate::html::escape;
use crate::judge::Judgement;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 46.0;

/// A curve of a cactus: its name, its style and its values in any order.
pub struct Curve<'a> {
    pub name: &'a str,
    pub class: &'a str,
    pub values: Vec<f64>,
}

/// What a cactus measures.
pub struct Measure<'a> {
    pub title: &'a str,
    pub unit: &'a str,
    /// Smaller values are drawn as this.
    pub floor: f64,
    /// Drawn as a line, if values come near it.
    pub limit: f64,
}

/// A cactus plot.
pub fn cactus(measure: &Measure<'_>, curves: &[Curve<'_>]) -> String {
    let values = || curves.iter().flat_map(|curve| &curve.values).copied();
    let highest = values().fold(measure.floor * 10.0, f64::max);
    let top = if highest > measure.limit / 10.0 {
        highest.max(measure.limit)
    } else {
        highest
    };
    let vertical = Log::covering(measure.floor, top, HEIGHT - BOTTOM, TOP);
    let most = curves.iter().map(|curve| curve.values.len()).max();
    let most = most.unwrap_or(0).max(1) as f64;
    let across = |count: f64| LEFT + (WIDTH - LEFT - RIGHT) * count / most;
    let mut svg = open(measure.title);
    for (value, label) in vertical.ticks() {
        let y = vertical.place(value);
        let _ = write!(
            svg,
            "<line class='grid' x1='{LEFT}' x2='{}' y1='{y:.1}' y2='{y:.1}'/><text x='{}' y='{:.1}' text-anchor='end'>{label}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0
        );
    }
    let step = nice_step(most);
    let mut count = 0.0;
    while count <= most {
        let x = across(count);
        let _ = write!(
            svg,
            "<text x='{x:.1}' y='{}' text-anchor='middle'>{count}</text>",
            HEIGHT - BOTTOM + 18.0
        );
        count += step;
    }
    if top >= measure.limit {
        let y = vertical.place(measure.limit);
        let _ = write!(
            svg,
            "<line class='limit' x1='{LEFT}' x2='{0}' y1='{y:.1}' y2='{y:.1}'/><text x='{0}' y='{1:.1}' text-anchor='end'>limit</text>",
            WIDTH - RIGHT,
            y - 5.0
        );
    }
    for curve in curves.iter().filter(|curve| !curve.values.is_empty()) {
        let mut sorted = curve.values.clone();
        sorted.sort_by(f64::total_cmp);
        let mut path = String::new();
        for (index, value) in sorted.iter().enumerate() {
            let (x, y) = (across(index as f64 + 1.0), vertical.place(*value));
            let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
        }
        let (class, name, number) = (curve.class, escape(curve.name), sorted.len());
        let _ = write!(
            svg,
            "<path class='curve {class}' d='{path}'><title>{name}: {number}</title></path>"
        );
        if sorted.len() == 1 {
            let (x, y) = (across(1.0), vertical.place(sorted[0]));
            let _ = write!(
                svg,
                "<circle class='key {class}' cx='{x:.1}' cy='{y:.1}' r='3'/>"
            );
        }
    }
    // In the corner that no curve reaches: the later ones are the higher ones.
    for (index, curve) in curves.iter().rev().enumerate() {
        let (x, y) = (
            WIDTH - RIGHT - 12.0,
            HEIGHT - BOTTOM - 14.0 - 19.0 * index as f64,
        );
        let (class, name, number) = (curve.class, escape(curve.name), curve.values.len());
        let _ = write!(
            svg,
            "<rect class='key {class}' x='{}' y='{}' width='14' height='3' rx='1'/><text x='{}' y='{y}' text-anchor='end'>{name}, {number}</text>",
            x - 14.0,
            y - 5.0,
            x - 22.0
        );
    }
    frame(&mut svg);
    axis_titles(&mut svg, "tasks answered right", measure.unit);
    svg.push_str("</svg>");
    svg
}

/// A scatter plot of two runs.
pub fn scatter(pairs: &[Pair], floor: f64) -> String {
    let bottom = HEIGHT - BOTTOM;
    let top = pairs
        .iter()
        .flat_map(|pair| [pair.old, pair.new])
        .filter(|(judgement, _)| *judgement != Judgement::Unknown)
        .map(|(_, seconds)| seconds)
        .fold(floor * 10.0, f64::max);
    // Beyond the axis is room for the tasks that one side did not answer.
    let margin = 26.0;
    let across = Log::covering(floor, top, LEFT, WIDTH - RIGHT - margin);
    let up = Log::covering(floor, top, bottom, TOP + margin);
    let mut svg = open("Old and new time");
    for (value, label) in across.ticks() {
        let (x, y) = (across.place(value), up.place(value));
        let _ = write!(
            svg,
            "<line class='grid' x1='{x:.1}' x2='{x:.1}' y1='{TOP}' y2='{bottom}'/>\
             <line class='grid' x1='{LEFT}' x2='{}' y1='{y:.1}' y2='{y:.1}'/>\
             <text x='{x:.1}' y='{}' text-anchor='middle'>{label}</text>\
             <text x='{}' y='{:.1}' text-anchor='end'>{label}</text>",
            WIDTH - RIGHT,
            bottom + 18.0,
            LEFT - 8.0,
            y + 4.0
        );
    }
    // The lines of the same time, and of ten times more and less.
    for (factor, class) in [(1.0, "diagonal"), (10.0, "tenfold"), (0.1, "tenfold")] {
        let from = across.least.max(up.least / factor);
        let to = across.greatest.min(up.greatest / factor);
        if from < to {
            let _ = write!(
                svg,
                "<line class='{class}' x1='{:.1}' y1='{:.1}' x2='{:.1}' y2='{:.1}'/>",
                across.place(from),
                up.place(from * factor),
                across.place(to),
                up.place(to * factor)
            );
        }
    }
    for edge in [
        format!(
            "x1='{0:.1}' x2='{0:.1}' y1='{TOP}' y2='{bottom}'",
            across.to
        ),
        format!(
            "x1='{LEFT}' x2='{}' y1='{1:.1}' y2='{1:.1}'",
            WIDTH - RIGHT,
            up.to
        ),
    ] {
        let _ = write!(svg, "<line class='limit' {edge}/>");
    }
    // Important points last, so that none is hidden below the many.
    let mut points: Vec<(u8, &'static str, &Pair)> = pairs.iter().filter_map(ranked).collect();
    points.sort_by_key(|(rank, ..)| *rank);
    for (_, class, pair) in points {
        let place = |axis: &Log, (judgement, seconds): (Judgement, f64)| match judgement {
            Judgement::Unknown => axis.to + (axis.to - axis.from).signum() * margin / 2.0,
            Judgement::Right | Judgement::Wrong => axis.place(seconds),
        };
        let (x, y) = (place(&across, pair.old), place(&up, pair.new));
        let say = |(judgement, seconds): (Judgement, f64)| match judgement {
            Judgement::Right => format!("{seconds:.2} s"),
            Judgement::Wrong => format!("wrong after {seconds:.2} s"),
            Judgement::Unknown => "unknown".to_owned(),
        };
        let (id, old, new) = (escape(&pair.id), say(pair.old), say(pair.new));
        let _ = write!(
            svg,
            "<circle class='point {class}' cx='{x:.1}' cy='{y:.1}' r='3.6'><title>{id}: {old} → {new}</title></circle>"
        );
    }
    frame(&mut svg);
    axis_titles(&mut svg, "old, seconds", "new, seconds");
    svg.push_str("</svg>");
    svg
}

/// Drawing order and style of a point; none if neither side answered.
fn ranked(pair: &Pair) -> Option<(u8, &'static str, &Pair)> {
    let (rank, class) = match (pair.old.0, pair.new.0) {
        (Judgement::Unknown, Judgement::Unknown) => return None,
        (Judgement::Wrong, _) | (_, Judgement::Wrong) => (3, "wrong"),
        (Judgement::Right, Judgement::Unknown) => (2, "lost"),
        (Judgement::Unknown, Judgement::Right) => (1, "won"),
        (Judgement::Right, Judgement::Right) => (0, "both"),
    };
    Some((rank, class, pair))
}

/// A logarithmic axis.
struct Log {
    least: f64,
    greatest: f64,
    from: f64,
    to: f64,
}

impl Log {
    /// An axis for these values, drawn between two coordinates.
    fn covering(least: f64, greatest: f64, from: f64, to: f64) -> Log {
        let greatest = (greatest * 1.15).max(least * 10.0);
        Log {
            least,
            greatest,
            from,
            to,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.max(self.least) / self.least).ln() / (self.greatest / self.least).ln();
        self.from + (self.to - self.from) * share.min(1.0)
    }

    /// The powers of ten, with what to write at them.
    fn ticks(&self) -> Vec<(f64, String)> {
        let first = self.least.log10().ceil() as i32;
        let last = self.greatest.log10().floor() as i32;
        (first..=last)
            .map(|power| {
                let value = 10f64.powi(power);
                let decimals = (-power).max(0) as usize;
                (value, format!("{value:.decimals$}"))
            })
            .collect()
    }
}

/// A round number that divides the axis into about six parts.
fn nice_step(most: f64) -> f64 {
    let rough = (most / 6.0).max(1.0);
    let power = 10f64.powf(rough.log10().floor());
    let multiple = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|m| power * m >= rough);
    power * multiple.unwrap_or(10.0)
}

fn open(title: &str) -> String {
    format!(
        "<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{0}'><text class='title' x='{LEFT}' y='20'>{0}</text>",
        escape(title)
    )
}

fn frame(svg: &mut String) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let _ = write!(
        svg,
        "<path class='axis' fill='none' d='M{LEFT} {TOP}V{bottom}H{right}'/>"
    );
}

fn axis_titles(svg: &mut String, horizontal: &str, vertical: &str) {
    let (x, y) = ((LEFT + WIDTH - RIGHT) / 2.0, (TOP + HEIGHT - BOTTOM) / 2.0);
    let _ = write!(
        svg,
        "<text x='{x}' y='{}' text-anchor='middle'>{}</text><text x='14' y='{y}' text-anchor='middle' transform='rotate(-90 14 {y})'>{}</text>",
        HEIGHT - 8.0,
        escape(horizontal),
        escape(vertical)
    );
}

#[cfg(test)]
mod tests {
    use super::{Curve, Log, Measure, cactus, nice_step, scatter};
    use crate::compare::Pair;
    use crate::judge::Judgement;

    #[test]
    fn axes_have_round_numbers() {
        let axis = Log::covering(0.01, 90.0, 0.0, 100.0);
        let labels: Vec<String> = axis.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, ["0.01", "0.1", "1", "10", "100"]);
        for (most, step) in [
            (1.0, 1.0),
            (7.0, 2.0),
            (60.0, 10.0),
            (720.0, 200.0),
            (13.0, 5.0),
        ] {
            assert_eq!(nice_step(most), step, "{most}");
        }
    }

    #[test]
    fn nothing_leaves_the_plot() {
        let measure = Measure {
            title: "t",
            unit: "s",
            floor: 0.01,
            limit: 60.0,
        };
        for values in [vec![], vec![0.0], vec![0.0, 1e-9, 59.0, 1e6]] {
            let curve = Curve {
                name: "<a>",
                class: "new",
                values,
            };
            let svg = cactus(&measure, &[curve]);
            assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("&lt;a&gt;"));
        }
        let pair = |old, new| Pair {
            id: "x".to_owned(),
            old,
            new,
        };
        let svg = scatter(
            &[
                pair((Judgement::Right, 0.0), (Judgement::Unknown, 900.0)),
                pair((Judgement::Unknown, 0.0), (Judgement::Unknown, 900.0)),
                pair((Judgement::Right, 1.0), (Judgement::Wrong, 2.0)),
            ],
            0.01,
        );
        assert!(!svg.contains("NaN") && svg.matches("<circle").count() == 2);
    }
}
