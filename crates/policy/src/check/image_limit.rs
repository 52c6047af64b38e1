//! `image-limit`: refuses to read pictures that are larger than a model takes.

use hook_protocol::tool::ToolInput;
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::finding::Finding;
use hook_shell::path::Places;
use hook_shell::resolve::quoted;

/// Settings of `image-limit`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ImageLimit {
    /// The longest side that passes, in pixels; 0 for any.
    pub longest_side: u32,
}

impl Step for ImageLimit {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let tool = ctx.event.tool().filter(|_| self.longest_side > 0 && !ctx.is_over())?;
        let ToolInput::Read(_) = tool.parsed_as_native() else { return None };
        let path = tool.touched_path()?;
        let places = crate::call::places(ctx.event, ctx.facts);
        let absolute = Places::absolute(&path, Some(&places.cwd))?;
        let (width, height) = ctx.facts.image_size(&absolute)?;
        let side = self.longest_side;
        (width.max(height) > side).then(|| Finding {
            suggestion: Some(format!("convert {} -resize {side}x{side} smaller.png", quoted(&path)).into()),
            ..Finding::refusal(format!(
                "{path} is a picture of {width} × {height} pixels, and at most {side} pixels a side are read here. Make a smaller copy and \
                 read that"
            ))
        })
    }
}
