//! Bar charts as inline SVG. All words stand outside of the drawing, so that they keep their size on a narrow screen, and the numbers
//! follow as a table.

use std::fmt::Write as _;

use super::html::{Text, grouped};

/// One kind of value: its class in the style sheet and its name.
pub(super) type Series = (&'static str, &'static str);

/// One bar: what it stands for, its values in the order of the series, and the height that it is drawn with if that is not their sum.
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) values: Vec<u64>,
    pub(super) height: Option<u64>,
}

/// A chart.
pub(super) struct Chart<'c> {
    /// Unique on the page.
    pub(super) id: &'c str,
    pub(super) title: String,
    /// One sentence for who does not see it.
    pub(super) says: String,
    pub(super) series: &'c [Series],
    /// What the bars stand for, the head of the table's first column.
    pub(super) of: &'c str,
    pub(super) bars: Vec<Bar>,
    /// Words at the beginning and the end of the axis.
    pub(super) ends: [String; 2],
    /// What the top of the chart stands for.
    pub(super) top: String,
}

const HEIGHT: u64 = 1_000;

impl Chart<'_> {
    pub(super) fn render(&self, out: &mut String) {
        let id = self.id;
        let _ = write!(out, "<figure><figcaption>{}</figcaption>", Text(&self.title));
        let _ = write!(
            out,
            "<p class=\"top\">{}</p><svg role=\"img\" aria-labelledby=\"{id}-t\" aria-describedby=\"{id}-d\" \
             viewBox=\"0 0 {} {HEIGHT}\" preserveAspectRatio=\"none\"><title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>",
            Text(&self.top),
            self.bars.len().max(1) * 10,
            Text(&self.title),
            Text(&self.says),
        );
        self.draw(out);
        let [first, last] = &self.ends;
        let _ = write!(out, "</svg><p class=\"axis\"><span>{}</span><span>{}</span></p>", Text(first), Text(last));
        if self.series.len() > 1 {
            out.push_str("<p class=\"legend\">");
            for (class, name) in self.series {
                let _ = write!(out, "<span><i class=\"key {class}\"></i>{}</span> ", Text(name));
            }
            out.push_str("</p>");
        }
        self.table(out);
        out.push_str("</figure>");
    }

    fn draw(&self, out: &mut String) {
        let height = |bar: &Bar| bar.height.unwrap_or_else(|| bar.values.iter().sum());
        let most = self.bars.iter().map(height).max().unwrap_or(0).max(1);
        for (index, bar) in self.bars.iter().enumerate() {
            let sum: u64 = bar.values.iter().sum();
            if sum == 0 {
                continue;
            }
            let x = index * 10 + 1;
            let mut bottom = HEIGHT;
            out.push_str("<g>");
            let _ = write!(out, "<title>{}</title>", Text(&self.in_words(bar)));
            for ((class, _), value) in self.series.iter().zip(&bar.values) {
                if *value == 0 {
                    continue;
                }
                let share = if bar.height.is_some() { height(bar) } else { *value };
                // What is there is seen, however little it is.
                let tall = (u128::from(share) * u128::from(HEIGHT) / u128::from(most)).max(12);
                let tall = u64::try_from(tall).unwrap_or(HEIGHT).min(bottom);
                bottom -= tall;
                let _ = write!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{bottom}\" width=\"8\" height=\"{tall}\"/>");
            }
            out.push_str("</g>");
        }
    }

    fn in_words(&self, bar: &Bar) -> String {
        let values =
            self.series.iter().zip(&bar.values).map(|((_, name), value)| format!("{name} {}", grouped(*value)));
        format!("{}: {}", bar.label, values.collect::<Vec<_>>().join(", "))
    }

    fn table(&self, out: &mut String) {
        let _ = write!(
            out,
            "<details><summary>The numbers</summary><div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">\
             <table><caption>{0}</caption><thead><tr><th scope=\"col\">{1}</th>",
            Text(&self.title),
            Text(self.of)
        );
        for (_, name) in self.series {
            let _ = write!(out, "<th scope=\"col\" class=\"n\">{}</th>", Text(name));
        }
        out.push_str("</tr></thead><tbody>");
        for bar in self.bars.iter().filter(|bar| bar.values.iter().any(|value| *value > 0)) {
            let _ = write!(out, "<tr><th scope=\"row\">{}</th>", Text(&bar.label));
            for value in &bar.values {
                let _ = write!(out, "<td class=\"n\">{}</td>", grouped(*value));
            }
            out.push_str("</tr>");
        }
        out.push_str("</tbody></table></div></details>");
    }
}
