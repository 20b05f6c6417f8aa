/// The distances, speeds and times of gestures, as data of the idiom. Distances are points, speeds points per second, times
/// seconds, shares parts of the length that they name.
public struct GestureMeasures: Hashable, Codable, Sendable {
    // MARK: Windows in the hand

    /// Response of the spring by which something comes under a finger that took it late.
    public var catchResponse = 0.2
    /// Response of the spring by which a window becomes small in the hand.
    public var liftResponse = 0.16
    /// A lifted window takes this share of the screen at most.
    public var liftShare = 0.45
    /// Let go nearer to where it was taken than this, a lifted window or an icon goes back.
    public var dropDistance = 60.0
    /// A strip along an edge where a drop makes a split: points at least, and the share of the room.
    public var dropEdge = 64.0, dropEdgeShare = 0.08
    /// The same for an icon.
    public var iconEdge = 72.0, iconEdgeShare = 0.1
    /// Above the lower edge an icon goes back.
    public var iconBottom = 110.0
    /// A lower corner where a drop makes Picture in Picture: points at least, and the share of the shorter side.
    public var dropCorner = 150.0, dropCornerShare = 0.2
    /// The share of the room at each side where a drop makes Slide Over.
    public var dropSlideOverShare = 0.26
    /// What a preview leaves free around a whole screen and around a half.
    public var previewInset = 12.0, previewHalfInset = 8.0

    // MARK: Split View

    /// A throw of the divider carries on by this share at most.
    public var dividerThrow = 0.35

    // MARK: Slide Over

    /// A card that is pulled down so far leaves its stack, if it goes down at least this much of what it goes sideways.
    public var cardPull = 90.0, cardPullSlope = 0.8
    /// The share of the finger's way that a card follows downwards before.
    public var cardGive = 0.3
    /// Pushed out by this share of its width, a card hides.
    public var cardOutside = 0.25
    /// A flip is this long, thrown distance included.
    public var flipDistance = 60.0
    /// Pulled inwards so far, a hidden card or picture comes back.
    public var revealDistance = 24.0
    /// How much a card gives way beyond where it can go.
    public var cardResistance = 0.15

    // MARK: Picture in Picture

    /// Pushed out by this share of its width, a picture is stashed; by the smaller share, if it also moves outwards this fast.
    public var pipOutside = 0.5, pipOutsideThrown = 0.15, pipOutwardSpeed = 200.0
    /// Spread beyond the largest size by this factor, a picture fills the screen.
    public var pipFills = 1.25

    // MARK: The shell's own views

    /// A finger rests so long before a menu opens.
    public var longPress = 0.5
    /// How far a finger may leave a control that it presses.
    public var pressSlack = 8.0
    /// Flicked up so far, a window of the app shelf closes.
    public var closeFlick = 40.0
    /// Pulled down so far, the home screen begins a search.
    public var searchPull = 60.0
    /// Seconds that a throw of the app switcher's row carries on at its speed.
    public var rowThrow = 0.45
    /// A card of the app switcher closes when it rises so far, or by this share of its height, and does not come down fast.
    public var cardRise = 120.0, cardRiseShare = 0.4, cardFallSpeed = 120.0
    /// The share of the finger's way that such a card follows downwards, and how pale it gets on its way up.
    public var cardSink = 0.2, cardPalest = 0.3
    /// A closed card flies so far beyond the screen.
    public var cardAway = 80.0
    /// A finger moves so far before a knob follows.
    public var knobSlop = 4.0
    /// A slider that acts at once moves by this share at least.
    public var knobStep = 1.0 / 512
    /// Points of a wheel's notch, and the notches of a whole slider.
    public var wheelNotch = 15.0, wheelNotches = 16.0

    // MARK: Up from the bottom edge

    /// A finger that came up rests so long, slower than this, before the app switcher opens.
    public var swipeHold = 0.18, swipeHoldSpeed = 250.0
    /// The least rise for the app switcher, and for the dock.
    public var switcherRise = 90.0, dockRise = 14.0
    /// Up faster than this, or by this share of the screen's height, goes home.
    public var homeSpeed = 350.0, homeRiseShare = 0.45
    /// Down faster than this the app stays; for the way home it is less.
    public var staySpeed = 150.0, homeStaySpeed = 100.0
    /// In the app switcher, a finger that comes back so low goes back to the app.
    public var switcherBack = 60.0
    /// Over the app switcher or the home screen a swipe is this long or this fast.
    public var plainRise = 40.0, plainSpeed = 300.0
    /// A swipe is sideways if it goes this many times further along than up, by this share of the width, below this rise.
    public var sidewaysSlope = 1.2, sidewaysShare = 0.12, sidewaysRise = 140.0
    /// Seconds of its speed that count as its way then.
    public var sidewaysThrow = 0.2
    /// Along the edge, by this share of the room, goes to the next space.
    public var panShare = 0.25
    /// The space in the hand: how much smaller it gets for its way up, and the least share of the screen that it keeps.
    public var swipeShrink = 1.15, swipeLeast = 0.28
    /// How much it gives way beyond where it can go, and the share of its height that may leave the screen.
    public var swipeResistance = 0.1, swipeOutside = 0.2

    // MARK: Held keys

    /// A key is held so long before it repeats, and from one time to the next: the whole range in two seconds.
    public var keyRepeatDelay = 0.4, keyRepeatPace = 0.1
    /// So often it repeats at most: a release that never comes must not be heard for ever.
    public var mostKeyRepeats = 40

    // MARK: Patience

    /// The controls of Picture in Picture stay so long after they were last used.
    public var pipControlsPatience = 4.0
    /// A touch elsewhere in a window takes its dots away after this time.
    public var dotsPatience = 1.0

    public init() {}
}
