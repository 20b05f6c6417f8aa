/// The distances, speeds and times of gestures, as data of the idiom. Distances are in points, speeds in points per
/// second, times in seconds. Shares are fractions of the length that they name.
public struct GestureMeasures: Hashable, Codable, Sendable {
    // MARK: Dragged windows

    /// The response of the spring by which something catches up with a finger.
    public var catchResponse = 0.2
    /// The response of the spring by which a lifted window shrinks.
    public var liftResponse = 0.16
    /// The maximum size of a lifted window, as a share of the screen.
    public var liftShare = 0.45
    /// Within this distance of its start, a released window or icon goes back.
    public var dropDistance = 60.0
    /// The strip along an edge where a drop makes a split: its minimum in points, and its share of the area.
    public var dropEdge = 64.0, dropEdgeShare = 0.08
    /// The same for an icon.
    public var iconEdge = 72.0, iconEdgeShare = 0.1
    /// Within this distance of the lower edge, a released icon goes back.
    public var iconBottom = 110.0
    /// The lower corner where a drop makes Picture in Picture: its minimum in points, and its share of the shorter
    /// side.
    public var dropCorner = 150.0, dropCornerShare = 0.2
    /// The share of the area at each side where a drop makes Slide Over.
    public var dropSlideOverShare = 0.26
    /// The inset of a preview in a whole screen and in a half.
    public var previewInset = 12.0, previewHalfInset = 8.0

    // MARK: Split View

    /// The maximum share that a throw adds to the divider's position.
    public var dividerThrow = 0.35

    // MARK: Slide Over

    /// A card leaves its stack when pulled down this far, if its downward movement is at least this share of its
    /// sideways movement.
    public var cardPull = 90.0, cardPullSlope = 0.8
    /// Before that, the share of the finger's downward movement that the card follows.
    public var cardGive = 0.3
    /// A card hides when this share of its width is pushed out.
    public var cardOutside = 0.25
    /// The length of a flip, including the thrown distance.
    public var flipDistance = 60.0
    /// A hidden card or picture returns when pulled inwards this far.
    public var revealDistance = 24.0
    /// The resistance of a card beyond its limits.
    public var cardResistance = 0.15

    // MARK: Sheets

    /// The speed at which a sheet starts upwards when its window is touched, which gets no input meanwhile.
    public var sheetNudge = 420.0

    // MARK: Picture in Picture

    /// A picture is stashed when this share of its width is pushed out; the smaller share suffices if it moves
    /// outwards this fast.
    public var pipOutside = 0.5, pipOutsideThrown = 0.15, pipOutwardSpeed = 200.0
    /// A picture fills the screen when spread beyond its maximum size by this factor.
    public var pipFills = 1.25

    // MARK: The shell's own views

    /// The duration of a long press before a menu opens.
    public var longPress = 0.5
    /// How long the Super key is held before the list of keys opens.
    public var superHold = 0.8
    /// How far a finger may leave the control that it presses.
    public var pressSlack = 8.0
    /// A window of the app shelf closes when flicked up this far.
    public var closeFlick = 40.0
    /// The home screen begins a search when pulled down this far.
    public var searchPull = 60.0
    /// Seconds for which a thrown row of the app switcher continues at its speed.
    public var rowThrow = 0.45
    /// A card of the app switcher closes when it rises this far, or by this share of its height, without falling
    /// fast.
    public var cardRise = 120.0, cardRiseShare = 0.4, cardFallSpeed = 120.0
    /// The share of a downward movement that such a card follows, and its minimum opacity on its way up.
    public var cardSink = 0.2, cardPalest = 0.3
    /// How far beyond the screen a closed card flies.
    public var cardAway = 80.0
    /// How far a finger moves before a knob follows.
    public var knobSlop = 4.0
    /// The minimum step of a slider that takes effect during the drag.
    public var knobStep = 1.0 / 512
    /// The points of a wheel notch, and the notches for a whole slider.
    public var wheelNotch = 15.0, wheelNotches = 16.0

    // MARK: Swipes from the bottom edge

    /// How long a finger rests, below this speed, before the app switcher opens.
    public var swipeHold = 0.18, swipeHoldSpeed = 250.0
    /// The minimum rise for the app switcher, and for the dock.
    public var switcherRise = 90.0, dockRise = 14.0
    /// Faster than this upwards, or beyond this share of the screen's height, goes home.
    public var homeSpeed = 350.0, homeRiseShare = 0.45
    /// Faster than this downwards, the app stays. The second value applies to a swipe high enough for going home.
    public var staySpeed = 150.0, homeStaySpeed = 100.0
    /// In the app switcher, below this height the finger returns to the app.
    public var switcherBack = 60.0
    /// Over the app switcher or the home screen, the minimum length or speed of a swipe.
    public var plainRise = 40.0, plainSpeed = 300.0
    /// A swipe is sideways if it goes this many times further sideways than up, by this share of the width, below
    /// this rise.
    public var sidewaysSlope = 1.2, sidewaysShare = 0.12, sidewaysRise = 140.0
    /// Seconds of its speed that count towards its distance then.
    public var sidewaysThrow = 0.2
    /// Along the edge, this share of the area goes to the next space.
    public var panShare = 0.25
    /// The swiped space: how fast it shrinks as it rises, and its minimum share of the screen.
    public var swipeShrink = 1.15, swipeLeast = 0.28
    /// The resistance beyond its limits, and the share of its height that may leave the screen.
    public var swipeResistance = 0.1, swipeOutside = 0.2

    // MARK: Sheets

    /// A sheet goes away when it is thrown this far down, or by this share of its height.
    public var sheetDistance = 200.0
    public var sheetShare = 0.4

    /// An app that flies home is caught while it is at least this opaque.
    public var flightSeen = 0.05

    /// How long a finger rests at the lower edge, on a keyboard or another panel, until the panel gets it.
    public var edgeRest = 0.25

    // MARK: Panels

    /// The control centre and the notifications close when they are thrown this far up, or by this share of their height.
    public var panelDistance = 90.0
    public var panelShare = 0.3
    /// A finger that moves the other way at this speed when it lets go has changed its mind.
    public var panelTurn = 50.0

    // MARK: Items that are pinched open

    /// How far two fingers spread on an item before the shell takes them.
    public var pinchSlop = 14.0
    /// The item opens if the fingers spread this far, and to this many times their distance.
    public var pinchOpens = 90.0
    public var pinchOpensScale = 1.3
    /// The maximum size of the picture that follows the fingers, as a share of the screen, before it resists.
    public var pinchLargest = 0.6
    /// How much of the fingers' way it follows beyond that: a row as wide as the screen hardly grows.
    public var pinchGive = 0.15
    /// How long an opened item waits for its window.
    public var pinchPatience = 3.0

    // MARK: Held keys

    /// The delay before a held key repeats, and the interval: the whole range takes two seconds.
    public var keyRepeatDelay = 0.4, keyRepeatPace = 0.1
    /// The maximum number of repeats, in case the release never arrives.
    public var mostKeyRepeats = 40

    // MARK: Timeouts

    /// How long the controls of Picture in Picture stay after their last use.
    public var pipControlsPatience = 4.0
    /// How long after a touch elsewhere in a window its dots disappear.
    public var dotsPatience = 1.0

    public init() {}
}
